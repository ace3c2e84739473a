"""How far measured numbers may be apart."""

import pytest

from lockstep.recordings import numbers


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("read bandwidth ~3.91 TB/s", [(3.91, "TB/s", False)]),
        ("256   ~5      GB/s       ~64 GB/s", [(5, "GB/s", False), (64, "GB/s", False)]),
        ("began earlier  ~4703", [(4703, "", True)]),
        ("began earlier  ~4703  right", [(4703, "", True)]),
        ("attribute   ~+0.5 us    ~29.2 us   right", [(0.5, "us", False), (29.2, "us", False)]),
        ("one CPU thread   ~498 million steps/s", [(498, "million", False)]),
        ("ratio ~1.05", [(1.05, "", False)]),
        ("exact 5 us", []),
    ],
)
def test_numbers_of_a_line(line, expected):
    assert [(one.value, one.unit, one.counted) for one in numbers.readings(line)] == expected


@pytest.mark.parametrize(
    ("line", "again", "agree"),
    [
        ("rate ~100 GB/s", "rate ~180 GB/s", True),
        ("rate ~100 GB/s", "rate ~220 GB/s", False),
        ("time ~100 us", "time ~280 us", True),
        ("time ~100 us", "time ~320 us", False),
        ("time ~0.5 us", "time ~2.3 us", True),  # a clock does not resolve it
        ("spread ~0.11 %", "spread ~5.07 %", True),
        ("spread ~12.4 %", "spread ~0.05 %", True),  # one machine is quiet, another is not
        ("of the peak ~80 %", "of the peak ~30 %", False),
        ("rate ~6 GB/s", "rate ~7 GB/s", True),
        ("rate ~0.0000 GB/s", "rate ~8759 GB/s", False),
        ("lost ~0", "lost ~25", True),
        ("lost ~100", "lost ~900", True),
        ("lost ~100", "lost ~1100", False),
        ("shift ~+20 us", "shift ~-20 us", False),
        ("launch__registers_per_thread   ~168", "launch__registers_per_thread   ~167", False),
        ("launch__registers_per_thread   ~168", "launch__registers_per_thread   ~168", True),
    ],
)
def test_what_agrees(line, again, agree):
    ((was,), (now,)) = numbers.readings(line), numbers.readings(again)
    limit = numbers.limit(was, line=line)
    assert (numbers.apart(was.value, now.value, limit.floor) <= limit.factor) == agree


def test_small_runs_may_differ_more():
    (one,) = numbers.readings("rate ~100 GB/s")
    assert numbers.limit(one, small=True).factor > numbers.limit(one).factor


@pytest.mark.parametrize(
    ("column", "unit"),
    [("~us", "us"), ("~low_us", "us"), ("~us for a copy", "us"), ("~percent_of_cub", "%"), ("~GB/s", "GB/s")],
)
def test_units_of_columns(column, unit):
    assert numbers.unit_of(column) == unit


def test_arbitrary_is_more_than_any_factor():
    assert numbers.apart(1, -1) <= numbers.ANY and numbers.apart(0, 0) == 1
