"""Long runs in parts: each part is its share, an interrupted one goes on, and nothing is lost or done twice."""

import argparse
import tarfile

import pytest

from lockstep.recordings import shards
from lockstep.recordings.rerun_record import Seconds


def test_each_item_is_in_exactly_one_shard():
    items = [f"p{i}" for i in range(23)]
    parts = [shards.select(items, [None] * 23, shards.Shard(i, 5)) for i in range(1, 6)]
    assert sorted(sum(parts, [])) == sorted(items)
    assert {len(part) for part in parts} == {4, 5}


def test_shards_take_equally_long():
    seconds = [60.0, 30, 20, 10, 5, 5, 3, 3, 2, 2]
    parts = [shards.select(seconds, seconds, shards.Shard(i, 2)) for i in (1, 2)]
    assert [sum(part) for part in parts] == [70, 70]


def test_unknown_duration_counts_as_the_average():
    assert shards.select("abcd", [10.0, None, 10.0, None], shards.Shard(1, 2)) in (["a", "c"], ["a", "d"], ["a", "b"])


def test_whole_keeps_all_in_order():
    assert shards.select("cab", [1.0, 3.0, 2.0], shards.WHOLE) == ["c", "a", "b"]


@pytest.mark.parametrize("text", ["0/5", "6/5", "2", "2/", "/5", "a/b", "-1/5", "2/5/6"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="the second of five is 2/5"):
        shards.parse(text)


@pytest.fixture
def two(project):
    """A project of two programs."""
    project.add("other", "echo other")
    return project


def test_record_takes_a_shard(two):
    lines = [two.lockstep("record run", "--shard", f"{i}/2")[1] for i in (1, 2)]
    assert lines == ["part/page/demo: recorded\n", "part/page/other: recorded\n"]


def test_program_that_does_not_compile_leaves_the_others_recorded(two):
    broken = two.root / "build/build.ninja"
    two.edit(broken, f"source = {two.root}/programs/part/page/demo.cu", "source = /nowhere/demo.cu")
    two.edit(two.source, "5", "6")
    status, printed = two.lockstep("record run")
    assert status == 1
    assert "the build failed" in printed and "part/page/demo: FAILED" in printed
    assert "part/page/other: recorded" in printed


def test_record_balances_by_the_last_rerun(two, rerun_json):
    two.add("third", "echo third")
    rerun_json(
        two.root, seconds={f"part/page/{name}": Seconds(t, 0) for name, t in (("demo", 1), ("other", 1), ("third", 9))}
    )
    assert two.lockstep("record run", "--shard", "1/2") == (0, "part/page/third: recorded\n")


def test_shard_with_nothing_in_it_is_done(project):
    assert project.lockstep("record run", "--shard", "2/2") == (0, "nothing to record: all of it is recorded\n")


def test_record_resumes(two):
    assert two.lockstep("record run", "demo")[0] == 0
    assert two.lockstep("record run", "--refresh", "--resume") == (0, "part/page/other: recorded\n")
    two.edit(two.source, "5", "6")
    assert two.lockstep("record run", "--refresh", "--resume") == (0, "part/page/demo: recorded\n")
    assert two.lockstep("record run", "--refresh", "--resume")[1].startswith("nothing to record")


def test_record_resumes_after_a_line_that_was_cut_off(two):
    two.lockstep("record run", "demo")
    with (two.root / "build/record-done.jsonl").open("a") as log:
        log.write('\n["part/page/oth')
    assert two.lockstep("record run", "--resume") == (0, "part/page/other: recorded\n")


def test_pack_leaves_out_what_was_never_written(recorded):
    with (recorded.root / "build/recorded.txt").open("a") as log:
        log.write("programs/part/page/gone.console\nprograms/pa")
    assert recorded.lockstep("record pack", str(recorded.root / "out.tar.gz"))[0] == 0
    with tarfile.open(recorded.root / "out.tar.gz") as archive:
        assert archive.getnames() == ["programs/part/page/demo.console"]


def test_pack_holds_the_results_of_gpu_check(recorded):
    results = recorded.root / "build/gpu-check/1-of-2"
    results.mkdir(parents=True)
    (results / "results.jsonl").write_text("{}\n")
    recorded.lockstep("record pack", str(recorded.root / "out.tar.gz"))
    with tarfile.open(recorded.root / "out.tar.gz") as archive:
        assert "build/gpu-check/1-of-2/results.jsonl" in archive.getnames()


def test_fresh_says_when_the_record_is_older_than_the_transcripts(recorded, rerun_json):
    record = rerun_json(recorded.root)
    status, printed = recorded.lockstep("record stale")
    assert status == 0
    assert "note: docs/rerun.json: 1 programs were recorded since the re-run of 2026-11-23, demo among them" in printed
    record.write_text("{")
    status, printed = recorded.lockstep("record stale")
    assert status == 1 and "record: docs/rerun.json:1: cannot be read: " in printed and "Traceback" not in printed
