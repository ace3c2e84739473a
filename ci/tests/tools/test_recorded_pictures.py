"""A picture that a program writes is recorded under the key of its transcript: one that is stale, edited or swapped is found."""

import random
import struct
import zlib

import pytest

from lockstep.recordings import pictures, transcripts
from lockstep.recordings.pictures import Picture, PictureError

TRANSCRIPT = "programs/part/page/demo.console"


def drawn(*pixels: int, width: int = 2, kind: str = "P6") -> str:
    """A command of a shell that writes a pixmap of these bytes."""
    height = len(pixels) // width // (3 if kind == "P6" else 1)
    octal = "".join(f"\\{byte:03o}" for byte in pixels)
    return f"printf '{kind}\\n{width} {height}\\n255\\n{octal}'"


RED, BLUE = (200, 10, 10) * 4, (10, 10, 200) * 4


@pytest.fixture
def drawing(project):
    """A project whose program writes a red and a blue picture, recorded."""
    project.list.write_text("lockstep_program(demo PICTURES red.ppm blue.ppm)\n")
    project.prints(f"{drawn(*RED)} > red.ppm", f"{drawn(*BLUE)} > blue.ppm", "echo done")
    status, printed = project.lockstep("record run")
    assert status == 0, printed
    return project


# ---------------------------------------------------------------------------------------------------------------------
# Recording


def test_pictures_are_recorded_under_the_same_key_as_the_transcript(drawing):
    text = drawing.console.read_text()
    assert "\n# data: blue.png " in text and "\n# data: red.png " in text and "declaration=" in text
    assert pictures.read((drawing.page / "red.png").read_bytes()) == Picture(2, 2, 3, bytes(RED))
    assert not list(drawing.page.glob("*.ppm")) and not list(drawing.page.glob("*.part"))
    assert drawing.lockstep("record stale") == (0, "1 transcripts are fresh\n")
    assert drawing.lockstep("gpu-check program") == (0, "part/page/demo: agrees\n")


def test_gray_picture_is_recorded_too(project):
    project.list.write_text("lockstep_program(demo PICTURES shades.pgm)\n")
    project.prints(f"{drawn(1, 2, 3, 4, kind='P5')} > shades.pgm", "echo done")
    assert project.lockstep("record run")[0] == 0
    assert pictures.read((project.page / "shades.png").read_bytes()) == Picture(2, 2, 1, bytes((1, 2, 3, 4)))


def test_same_pixels_leave_the_recording_alone(drawing):
    before = {path: path.stat().st_mtime_ns for path in drawing.page.iterdir()}
    assert "unchanged" in drawing.lockstep("record run")[1]
    assert {path: path.stat().st_mtime_ns for path in drawing.page.iterdir()} == before


def test_other_pixels_are_recorded_anew(drawing):
    drawing.prints(f"{drawn(*BLUE)} > red.ppm", f"{drawn(*BLUE)} > blue.ppm", "echo done")
    assert "recorded" in drawing.lockstep("record run")[1]
    assert (drawing.page / "red.png").read_bytes() == (drawing.page / "blue.png").read_bytes()
    assert drawing.lockstep("record stale")[0] == 0


def test_pack_holds_the_pictures(drawing):
    assert "packed 3 files" in drawing.lockstep("record pack", str(drawing.root / "out.tar.gz"))[1]


def test_a_rerun_keeps_its_pictures_to_be_looked_at(drawing):
    drawing.prints(f"{drawn(*BLUE)} > red.ppm", f"{drawn(*BLUE)} > blue.ppm", "echo done")
    keep = drawing.root / "kept"
    assert drawing.lockstep("gpu-check program", "--keep", str(keep))[0] == 1
    assert pictures.read((keep / "red.png").read_bytes()).pixels == bytes(BLUE)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("true", "no command wrote red.ppm, which is declared under PICTURES"),
        ("echo x > red.ppm", "red.ppm is no pixmap; begin it with P6 for color or P5 for gray"),
        ("printf 'P3\\n1 1\\n255\\n1 2 3' > red.ppm", "red.ppm is no pixmap"),
        ("printf 'P6\\n1 1\\n65535\\n123456' > red.ppm", "its channels go up to 65535; write one byte for each"),
        ("printf 'P6\\n0 4\\n255\\n' > red.ppm", "red.ppm has 0 × 4 pixels; write at least one"),
        ("printf 'P6\\n1025 1024\\n255\\n' > red.ppm", "has 1025 × 1024 pixels, over 1 megapixel (1048576)"),
        ("printf 'P6\\n2 1\\n255\\n12345' > red.ppm", "2 × 1 pixels of color take 6 bytes, and 5 follow its header"),
        ("printf 'P5\\n2 1\\n255\\n123' > red.ppm", "2 × 1 pixels of gray take 2 bytes, and 3 follow its header"),
    ],
)
def test_what_is_no_picture_is_refused_and_leaves_the_recording_alone(drawing, command, message):
    before = {path: path.read_bytes() for path in drawing.page.iterdir()}
    drawing.prints(command, f"{drawn(*BLUE)} > blue.ppm", "echo done")
    status, printed = drawing.lockstep("record run")
    assert status == 1 and message in printed
    assert {path: path.read_bytes() for path in drawing.page.iterdir()} == before


def test_program_that_fails_before_it_draws_says_why(drawing):
    drawing.prints("echo out of memory", "exit 1")
    printed = drawing.lockstep("record run")[1]
    assert "no command wrote red.ppm" in printed and "$ ./demo\n  out of memory\n  exit status 1: fix the" in printed


# ---------------------------------------------------------------------------------------------------------------------
# Checks


def test_picture_of_a_changed_program_is_stale(drawing):
    drawing.edit(drawing.source, "5", "6")
    assert f"{TRANSCRIPT}: stale: demo.cu changed since it was recorded" in drawing.lockstep("record stale")[1]


def test_edited_picture_is_found(drawing):
    picture = drawing.page / "red.png"
    picture.write_bytes(pictures.png(Picture(2, 2, 3, bytes((201, *RED[1:])))))
    status, printed = drawing.lockstep("record stale")
    assert status == 1
    assert "programs/part/page/red.png: missing or edited by hand; on a GPU machine run" in printed


def test_swapped_pictures_are_found(drawing):
    red, blue = drawing.page / "red.png", drawing.page / "blue.png"
    was = red.read_bytes(), blue.read_bytes()
    blue.write_bytes(was[0])
    red.write_bytes(was[1])
    status, printed = drawing.lockstep("record stale")
    assert status == 1
    assert "page/red.png: missing or edited by hand" in printed and "page/blue.png: missing or edited" in printed


def test_swapped_pictures_with_swapped_hashes_are_found(drawing):
    red, blue = drawing.page / "red.png", drawing.page / "blue.png"
    was = red.read_bytes(), blue.read_bytes()
    blue.write_bytes(was[0])
    red.write_bytes(was[1])
    known = transcripts.parse(drawing.console.read_text()).data
    text = drawing.console.read_text()
    for name, other in (("red.png", "blue.png"), ("blue.png", "red.png")):
        text = text.replace(f"# data: {name} {known[name]}", f"# data: {name} {known[other]}")
    drawing.console.write_text(text)
    assert f"{TRANSCRIPT}: its output or provenance was edited by hand" in drawing.lockstep("record stale")[1]


def test_swapped_data_files_are_found_in_the_same_way(project):
    project.list.write_text("lockstep_program(demo DATA one.csv two.csv)\n")
    project.prints("printf 'n\\n1\\n' > one.csv", "printf 'n\\n2\\n' > two.csv", "echo done")
    project.lockstep("record run")
    (project.page / "one.csv").write_text("n\n2\n")
    (project.page / "two.csv").write_text("n\n1\n")
    printed = project.lockstep("record stale")[1]
    assert "page/one.csv: missing or edited by hand" in printed and "page/two.csv: missing or edited" in printed


def test_missing_picture_is_found(drawing):
    (drawing.page / "red.png").unlink()
    assert "page/red.png: missing or edited by hand" in drawing.lockstep("record stale")[1]


def test_picture_that_is_declared_later_makes_the_transcript_stale(recorded):
    recorded.list.write_text("lockstep_program(demo PICTURES red.ppm)\n")
    printed = recorded.lockstep("record stale")[1]
    assert f"{TRANSCRIPT}: stale: its declaration changed since it was recorded" in printed
    assert f"{TRANSCRIPT}: its files are not those declared under DATA and PICTURES" in printed


def test_other_pixels_fail_the_check(drawing):
    drawing.prints(f"{drawn(200, 10, 10, 203, 10, 10, *RED[6:])} > red.ppm", f"{drawn(*BLUE)} > blue.ppm", "echo done")
    status, printed = drawing.lockstep("gpu-check program")
    assert status == 1
    assert (
        "red.png: 1 of 4 pixels differ, by up to 3 in a channel; the first in column 2 of row 1: "
        "was 200 10 10, is 203 10 10"
    ) in printed


def test_other_size_fails_the_check(drawing):
    drawing.prints(f"{drawn(*RED, width=4)} > red.ppm", f"{drawn(*BLUE)} > blue.ppm", "echo done")
    printed = drawing.lockstep("gpu-check program")[1]
    assert "red.png: was 2 × 2 pixels of color, is 4 × 1 pixels of color" in printed


# ---------------------------------------------------------------------------------------------------------------------
# What may differ


def allow(project, line: str) -> None:
    project.console.write_text(project.console.read_text().replace("$ ./demo\n", f"{line}\n$ ./demo\n", 1))


def test_declared_difference_is_allowed_and_needs_no_new_recording(drawing):
    allow(drawing, "# picture: red.png within 2 -- filtering rounds")
    assert drawing.lockstep("record stale") == (0, "1 transcripts are fresh\n")
    near, blue = f"{drawn(202, *RED[1:])} > red.ppm", f"{drawn(*BLUE)} > blue.ppm"
    drawing.prints(near, blue, "echo done")
    assert drawing.lockstep("gpu-check program") == (0, "part/page/demo: agrees\n")
    assert "unchanged" in drawing.lockstep("record run")[1]
    drawing.prints(f"{drawn(203, *RED[1:])} > red.ppm", blue, "echo done")
    assert "by up to 3 in a channel, where 2 is allowed; the first" in drawing.lockstep("gpu-check program")[1]
    drawing.prints(near, f"{drawn(11, *BLUE[1:])} > blue.ppm", "echo done")
    printed = drawing.lockstep("gpu-check program")[1]
    assert "blue.png: 1 of 4 pixels differ" in printed and "red.png" not in printed


def test_declared_difference_stays_in_a_new_recording(drawing):
    allow(drawing, "# picture: red.png within 2 -- filtering rounds")
    drawing.prints(f"{drawn(*BLUE)} > red.ppm", f"{drawn(*BLUE)} > blue.ppm", "echo done")
    assert "recorded" in drawing.lockstep("record run")[1]
    assert "\n# picture: red.png within 2 -- filtering rounds\n$ ./demo\n" in drawing.console.read_text()


@pytest.mark.parametrize(
    "header",
    [
        "# picture: red.png",
        "# picture: red.png within 2",
        "# picture: red.png within 2 --",
        "# picture: red.png within two -- why",
        "# picture: red.png within 0 -- why",
        "# picture: red.png within 33 -- why",
        "# picture: red.ppm within 2 -- why",
    ],
)
def test_difference_that_is_unclear_or_hides_any_change_is_refused(drawing, header):
    allow(drawing, header)
    printed = drawing.lockstep("record stale")[1]
    assert (
        "cannot read this header; write # picture: FILE.png within 1 -- REASON, with a number of at most 32" in printed
    )


def test_difference_that_is_declared_twice_is_refused(drawing):
    allow(drawing, "# picture: red.png within 2 -- rounds\n# picture: red.png within 3 -- rounds")
    assert "a line above says already how far red.png may be off; leave one" in drawing.lockstep("record stale")[1]


def test_difference_of_a_picture_that_there_is_not_is_refused(drawing):
    allow(drawing, "# picture: green.png within 2 -- rounds")
    message = (
        f"{TRANSCRIPT}: # picture: green.png: no such picture is declared under PICTURES, which give red.png, blue.png"
    )
    for verb in ("record stale", "record run"):
        status, printed = drawing.lockstep(verb)
        assert status == 1 and message in printed


# ---------------------------------------------------------------------------------------------------------------------
# Pixmaps and PNGs


@pytest.mark.parametrize("channels", [1, 3])
def test_png_holds_the_same_pixels_whatever_they_are(channels):
    noise = random.Random(7)
    for width, height in ((1, 1), (1, 9), (9, 1), (31, 17)):
        count = width * height * channels
        for pixels in (
            bytes(count), noise.randbytes(count), bytes(i % width * channels % 256 for i in range(count)),
            bytes(i // width % 256 for i in range(count)), bytes(255 - i % 2 for i in range(count)),
        ):  # fmt: skip
            picture = Picture(width, height, channels, pixels)
            content = pictures.png(picture)
            assert pictures.read(content) == picture and pictures.size(content) == (width, height)
            assert pictures.png(picture) == content


def test_smooth_picture_takes_little_room():
    slope = bytes((x + y) % 256 for y in range(256) for x in range(256) for _ in range(3))
    assert len(pictures.png(Picture(256, 256, 3, slope))) < 4000


def test_comments_and_line_ends_of_a_pixmap_are_understood():
    assert pictures.parse(b"P5 # gray\r\n# by demo\n2\t1 # size\n255\n\n\x07") == Picture(2, 1, 1, b"\n\x07")


def picture_with(**chunks: bytes) -> bytes:
    """A PNG with some of its chunks replaced."""
    content = pictures.png(Picture(2, 2, 3, bytes(RED)))
    parts = {"IHDR": content[16:29], "IDAT": content[41:-16], "IEND": b""} | chunks
    written = [
        struct.pack(">I", len(body)) + name.encode() + body + struct.pack(">I", zlib.crc32(name.encode() + body))
        for name, body in parts.items()
    ]
    return content[:8] + b"".join(written)


def test_picture_is_put_together_as_the_recorder_does_it():
    assert pictures.read(picture_with()).pixels == bytes(RED)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is no PNG that the recorder wrote"),
        (b"GIF89a" + bytes(50), "is no PNG that the recorder wrote"),
        (picture_with(IHDR=struct.pack(">IIBBBBB", 2, 2, 16, 2, 0, 0, 0)), "is no PNG that the recorder wrote"),
        (picture_with(IHDR=struct.pack(">IIBBBBB", 2, 2, 8, 6, 0, 0, 0)), "is no PNG that the recorder wrote"),
        (picture_with(IHDR=struct.pack(">IIBBBBB", 1 << 30, 2, 8, 2, 0, 0, 0)), "is no PNG that the recorder wrote"),
        (picture_with(IHDR=struct.pack(">IIBBBBB", 2, 3, 8, 2, 0, 0, 0)), "is no PNG that the recorder wrote"),
        (picture_with(IDAT=zlib.compress(b"\4" + bytes(6) + b"\0" + bytes(6))), "is no PNG that the recorder wrote"),
        (picture_with(IDAT=zlib.compress(bytes(10_000))), "is no PNG that the recorder wrote"),
        (picture_with(IDAT=b"no stream"), "cannot be read"),
        (picture_with()[:-3], "cannot be read"),
        (picture_with().replace(b"IDAT", b"IDAX"), "a checksum is wrong"),
    ],
)
def test_what_the_recorder_did_not_write_is_no_picture(content, message):
    with pytest.raises(PictureError, match=message):
        pictures.read(content)


def test_two_packings_of_the_same_pixels_agree(tmp_path):
    recorded, found = tmp_path / "red.png", tmp_path / "again.png"
    plain = b"".join(b"\0" + bytes(RED[:6]) for _ in range(2))
    recorded.write_bytes(pictures.png(Picture(2, 2, 3, bytes(RED))))
    found.write_bytes(picture_with(IDAT=zlib.compress(plain, 0)))
    assert recorded.read_bytes() != found.read_bytes() and pictures.differences(recorded, found) == []
    found.write_bytes(b"")
    assert pictures.differences(recorded, found) == [
        "red.png: is no PNG that the recorder wrote; restore it, or record it again"
    ]
