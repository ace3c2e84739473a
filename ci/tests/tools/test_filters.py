"""Filters show what they say, keep the whole beside it, and may change without a GPU."""

import gzip

import pytest

from lockstep.recordings import filters, transcripts
from lockstep.recordings.filters import FilterError
from lockstep.recordings.session import Command

SASS = ["Function : copy", " LDG.E R1", " LDG.E R2", " STG.E R1", " EXIT"]
NCU = [
    "==PROF== Connected to process 77 (/tmp/demo)",
    '==PROF== Profiling "read" - 0: 0%....50%....100% - 1 pass',
    "case 4,plain",
    "case 8,padded",
    "==PROF== Disconnected from process 77",
    "[77] demo@127.0.0.1",
    "  void read<4>(int, const float *) (132, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 9.0",
    "    Section: Command line profiler metrics",
    "    ------------------------ ----------- ------------",
    "    Metric Name              Metric Unit Metric Value",
    "    ------------------------ ----------- ------------",
    "    dram__bytes_read.sum            byte  123,456,789",
    "    smsp__inst_executed.sum         inst          512",
    "    lts__t_hit_rate.pct                %        49.08",
    "",
    "  write() (1, 1, 1)x(32, 1, 1), Context 1, Stream 7, Device 0, CC 9.0",
    "    dram__bytes_read.sum            byte            0",
    "    smsp__inst_executed.sum         inst            2",
    "    lts__t_hit_rate.pct                %          100",
]


def shown(output, *declared):
    return filters.apply([filters.read(*text.split(": ", 1)) for text in declared], output)


@pytest.mark.parametrize(
    ("declared", "lines"),
    [
        (["keep: LDG|STG"], [" LDG.E R1", " LDG.E R2", " STG.E R1"]),
        (["drop: LDG|EXIT"], ["Function : copy", " STG.E R1"]),
        (["first: LDG"], [" LDG.E R1"]),
        (["first: R2 -> STG"], [" LDG.E R2", " STG.E R1"]),
        (["first: STG -> LDG"], [" STG.E R1", " EXIT"]),
        (["show: LDG|STG"], ["LDG", "LDG", "STG"]),
        (["show: (LDG|STG)\\.(\\w) -> \\1, \\2", "repeats: once"], ["LDG, E", "STG, E"]),
        (["show: LDG|STG", "repeats: counted", "name: STG -> store"], ["2 LDG", "1 store"]),
        (["show: E|R1", "repeats: tallied"], ["4 E", "2 R1"]),
    ],
)
def test_lines_are_chosen_and_named_in_the_order_of_the_filters(declared, lines):
    assert shown(SASS, *declared).lines == lines


def test_metrics_of_one_launch_are_labelled_lines():
    made = shown(
        NCU[:14], "metric: dram__bytes_read.sum / 1e6 -> ~read from device memory, MB",
        "metric: smsp__inst_executed.sum -> instructions",
    )  # fmt: skip
    assert made.lines == ["read from device memory     ~123.5 MB", "instructions                512"]


def test_metrics_of_several_launches_are_a_table():
    made = shown(NCU, "metric: smsp__inst_executed.sum -> instructions", "metric: lts__t_hit_rate.pct -> ~hits, %")
    assert made.lines == [
        "kernel   instructions  hits, %",
        "read<4>           512   ~49.08",
        "write               2     ~100",
    ]


def test_lines_of_the_program_name_the_launches_also_in_a_data_file():
    made = shown(
        NCU, "row: ^case (\\d+),(\\w+) -> size, case", "metric: dram__bytes_read.sum / 1e6 -> ~read_mb", "csv: demo.csv"
    )
    assert made.lines == ["size  case    read_mb", "   4  plain    ~123.5", "   8  padded       ~0"]
    assert made.files == {"demo.csv": "size,case,~read_mb\n4,plain,123.5\n8,padded,0\n"}


def test_launches_can_be_summed():
    made = shown(NCU, "metric: smsp__inst_executed.sum -> instructions", "launches: summed")
    assert made.lines == ["instructions                514"]


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("keep: (", "no regular expression"),
        ("show: a -> \\1", "no regular expression"),
        ("first: a -> (", "no regular expression"),
        ("name: a", "write name: REGEX -> TEXT"),
        ("row: (a)(b) -> one", "has 2 groups and 1 labels"),
        ("metric: time -> label", "where NAME is one of ncu's metrics"),
        ("repeats: twice", "write repeats: once, repeats: counted, or repeats: tallied"),
        ("launches: each", "write launches: summed"),
        ("csv: ../demo.csv", "write csv: NAME.csv"),
    ],
)
def test_filter_that_cannot_be_read_says_what_to_write(declared, said):
    with pytest.raises(FilterError, match="^" + declared.split(":")[0]) as error:
        shown(SASS, declared)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        (["keep: nowhere"], "nothing is left of 19 lines after keep: nowhere"),
        (
            ["metric: sm__cycles.sum -> cycles"],
            "ncu printed no number for sm__cycles.sum of read<4>; it printed: dram__",
        ),
        (["row: ^case (4) -> size", "metric: dram__bytes_read.sum -> b"], "names 1 launches, and ncu profiled 2"),
    ],
)
def test_filter_without_anything_to_show_is_an_error(declared, said):
    with pytest.raises(FilterError) as error:
        shown(NCU, *declared)
    assert said in str(error.value)


def test_metrics_of_no_launch_are_an_error():
    with pytest.raises(FilterError, match="profiled no launch; its last lines"):
        shown(SASS, "metric: dram__bytes_read.sum -> b")


def test_whole_output_survives_packing_with_lines_that_look_like_commands():
    commands = [Command("ncu ./demo", ["3 lines, exit status 0", "$ ./other", ""]), Command("nvcc demo.cu", [], 2)]
    content = filters.pack(commands)
    assert filters.unpack(content) == commands and content == filters.pack(commands)
    for broken in (content[:-9], gzip.compress(b"anything\n")):
        with pytest.raises(FilterError, match="record it again"):
            filters.unpack(broken)


def test_filters_stand_above_their_command_and_survive_reading():
    text = "$ ./demo\n5\n# keep: LDG\n# repeats: once\n$ cuobjdump -sass demo\n LDG\n\\# keep: this is output\n"
    transcript = transcripts.parse(text)
    assert [len(command.filters) for command in transcript.commands] == [0, 2]
    assert transcript.commands[1].output[1] == "# keep: this is output"
    assert transcripts.serialize(transcript) == text


@pytest.mark.parametrize(
    "text", ["$ ./demo\n# keep: a\n5\n$ ./demo\n", "$ ./demo\n# keep: a\n", "# kept: a\n$ ./demo\n"]
)
def test_filter_without_its_command_is_refused(text):
    with pytest.raises(transcripts.TranscriptError):
        transcripts.parse(text)


@pytest.fixture
def filtered(project):
    project.console.write_text("# show: bandwidth (.*) -> it reads at \\1\n$ ./demo\n$ ./demo 2\n")
    assert project.lockstep("record run") == (0, "part/page/demo: recorded\n")
    return project


def test_recording_shows_what_is_filtered_and_keeps_the_whole(filtered):
    text = filtered.console.read_text()
    assert "$ ./demo\nit reads at ~3.91 TB/s\n$ ./demo 2\nelements       5\n" in text
    [whole] = filters.unpack((filtered.page / "demo.whole.gz").read_bytes())
    assert whole == Command("./demo", ["elements       5", "read bandwidth ~3.91 TB/s"])
    assert filtered.lockstep("record stale") == (0, "1 transcripts are fresh\n")
    assert filtered.lockstep("gpu-check program")[0] == 0


def test_changed_label_needs_no_gpu(filtered):
    filtered.gpu()
    filtered.edit(filtered.console, "-> it reads at", "-> rate")
    status, printed = filtered.lockstep("record stale")
    assert status == 1 and "its filters changed; run python3 ci record filter demo" in printed
    assert filtered.lockstep("record filter") == (0, "part/page/demo: filtered again\n")
    assert "$ ./demo\nrate ~3.91 TB/s\n" in filtered.console.read_text()
    assert filtered.lockstep("record stale")[0] == 0
    assert filtered.lockstep("record filter") == (0, "part/page/demo: unchanged\n")


def test_filtered_output_edited_by_hand_is_found(filtered):
    filtered.edit(filtered.console, "it reads at ~3.91", "it reads at ~9.91")
    assert "edited by hand" in filtered.lockstep("record stale")[1]


@pytest.mark.parametrize(
    "content",
    [None, b"", gzip.compress(b"0 lines, exit status 0\n$ ./other\n")],
    ids=["lost", "empty", "another"],
)
def test_whole_output_that_is_lost_or_edited_is_found(filtered, content):
    file = filtered.page / "demo.whole.gz"
    file.unlink() if content is None else file.write_bytes(content)
    assert "demo.whole.gz: missing or edited by hand" in filtered.lockstep("record stale")[1]


def test_filter_that_finds_nothing_is_not_recorded(project):
    project.console.write_text("# keep: nowhere\n$ ./demo\n")
    status, printed = project.lockstep("record run")
    assert status == 1 and "nothing is left of 2 lines after keep: nowhere" in printed
    assert not (project.page / "demo.whole.gz").exists()
