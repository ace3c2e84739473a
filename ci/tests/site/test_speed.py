"""How soon a page can be read and used: pages that are slow on purpose must be found."""

import random

import pytest

from lockstep.site import speed
from lockstep.site.server import serve
from lockstep.site.speed import Speed

BUSY = (
    "<script>setTimeout(() => {{ const end = performance.now() + {}; while (performance.now() < end); }}, 400)</script>"
)


@pytest.fixture
def measure(site, browser, monkeypatch):
    monkeypatch.setattr(speed, "MOST_RUNS", 5)

    def one(body: str) -> Speed:
        with serve(site(index=body)) as base:
            return speed.measure(browser, base + "index.html")

    return one


def test_a_small_page_is_soon_drawn_and_never_blocked(measure, monkeypatch):
    monkeypatch.setattr(speed, "MOST_RUNS", 15)  # other tests run at the same time
    found = measure("<p>text</p>")
    assert 150 < found.paint < speed.MAX_PAINT_MS, "it waits once for an answer"
    assert found.blocking <= speed.MAX_BLOCKING_MS and speed.too_slow("index.html", found) == []


def test_a_blocking_script_is_found(measure):
    found = measure("<p>text</p>" + BUSY.format(300))
    assert found.blocking >= 240
    assert any("block a slow phone for" in text for text in speed.too_slow("index.html", found))


def test_what_runs_before_anything_is_drawn_does_not_block_but_delays(measure):
    script = "<script>{ const end = performance.now() + 1500; while (performance.now() < end); }</script>"
    found = measure(script + "<p>text</p>")
    assert found.paint > 1_500 and found.blocking < 1_000


def test_a_large_picture_that_comes_late_is_found(measure, site):
    noise = random.Random(1).randbytes(400_000).hex()
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 5"><!-- {noise} --><circle r="3"/></svg>'
    (site(index="") / "big.svg").write_text(svg)
    found = measure('<p>text</p><img alt="x" src="big.svg" width="360" height="600">')
    assert any("the largest part is drawn after" in text for text in speed.too_slow("index.html", found))


def test_pictures_are_left_out_of_the_bytes(site, browser):
    (site(index='<img alt="x" src="a.svg">') / "a.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg"><!-- {"".join(map(str, range(9999)))} --></svg>'
    )
    with serve(site(index='<img alt="x" src="a.svg">')) as base:
        assert 100 < speed.visit(browser, base).bytes < 1_500


def test_a_busy_machine_is_no_finding(monkeypatch):
    slow, fast = Speed(5_000, 900, 10), Speed(900, 20, 10)
    visits = iter([slow, fast, slow, slow, fast])
    monkeypatch.setattr(speed, "visit", lambda *_: next(visits))
    assert speed.measure(None, "index.html") == fast


def test_a_slow_page_is_measured_nine_times_and_no_more(monkeypatch):
    visits = [Speed(1_400, 20, 10)] * 9
    monkeypatch.setattr(speed, "visit", lambda *_: visits.pop())
    assert speed.too_slow("a.html", speed.measure(None, "a.html")) and not visits


def test_one_visit_of_three_that_is_slow_does_not_count(monkeypatch):
    visits = [Speed(900, 20, 10), Speed(1_400, 200, 10), Speed(1_000, 30, 10)]
    monkeypatch.setattr(speed, "visit", lambda *_: visits.pop())
    assert speed.measure(None, "index.html") == Speed(1_000, 30, 10) and not visits


def test_a_line_for_each_page_of_those_opened(monkeypatch, capsys):
    monkeypatch.setattr(speed, "PAGES", ("a.html", "b.html"))
    monkeypatch.setattr(speed, "visit", lambda *_: Speed(900, 20, 4_321))
    assert speed.findings(None, "", ["a.html"], ["a.html", "b.html"]) == []
    [line] = capsys.readouterr().out.splitlines()
    assert line.split() == ["a.html", "LCP", "900", "ms", "blocking", "20", "ms", "4321", "bytes"]


def test_a_page_that_is_gone_is_found(monkeypatch):
    monkeypatch.setattr(speed, "PAGES", ("gone.html",))
    [finding] = speed.findings(None, "", ["a.html"], ["a.html"])
    assert finding.startswith("gone.html: no such page")


def test_heavy_pages_are_found_when_they_are_more_than_one_in_ten(capsys):
    assert speed.mostly_light([60_000] * 9 + [90_000]) == []
    assert "60000 bytes at the median, at most 60000 on nine pages of ten, at most 90000" in capsys.readouterr().out
    [finding] = speed.mostly_light([60_000] * 8 + [60_001] * 2)
    assert "on 8 of 10 pages" in finding


def test_a_slower_machine_is_slowed_down_less():
    assert speed.throttling([10, 10, 10, 10, 10]) == pytest.approx(4)
    assert speed.throttling([40, 20, 20, 20, 12]) == pytest.approx(2)
    assert speed.throttling([500] * 5) == 1


def test_a_faster_machine_is_slowed_down_more_but_not_without_limit():
    assert speed.throttling([8] * 5) == pytest.approx(5)
    assert speed.throttling([0.1] * 5) == 8
