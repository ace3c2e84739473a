"""Which image runs on which GPU: the two rules, with the recorded answers in the column of the H200."""

import csv
from collections.abc import Iterator
from pathlib import Path

from lockstep_sphinx.drawings.canvas import Canvas

GPUS = [80, 86, 89, 90, 100, 120]
IMAGES = ["sm_80", "sm_86", "sm_90", "sm_90a", "sm_100", "compute_80", "compute_90", "compute_90a", "compute_100"]
RECORDED_GPU = 90
PROGRAMS = Path(__file__).resolve().parents[4] / "programs"


def by_rule(image: str, gpu: int) -> bool:
    """What the two compatibility rules say."""
    kind, _, number = image.partition("_")
    target = int(number.rstrip("a"))
    if number.endswith("a"):
        return target == gpu
    return target <= gpu and (kind == "compute" or target // 10 == gpu // 10)


def recorded() -> dict[str, bool]:
    """What the H200 did with each image."""
    text = (PROGRAMS / "foundations/platform/binaries/images_that_load.csv").read_text(encoding="utf-8")
    return {row["image"]: row["runs"] == "1" for row in csv.DictReader(text.splitlines())}


def rows() -> Iterator[tuple[str, list[str], list[str]]]:
    """Each image, with the words of its cells and their kinds."""
    found = recorded()
    for image in IMAGES:
        runs = [found[image] if gpu == RECORDED_GPU else by_rule(image, gpu) for gpu in GPUS]
        word = "runs" if image.startswith("sm_") else "JIT, runs"
        yield image, [word if r else "no" for r in runs], ["gpu" if r else "muted" for r in runs]


def heads(c: Canvas, left: float, width: float, remark: str) -> None:
    c.text(left + width * len(GPUS) / 2, 20, "compute capability of the GPU", kind="strong")
    for i, gpu in enumerate(GPUS):
        name = f"{gpu // 10}.{gpu % 10}"
        c.text(left + width * (i + 0.5), 50, name + remark if gpu == RECORDED_GPU else name, size=13)


def draw(c: Canvas) -> None:
    left, top, width, height = 130, 66, 92, 30
    c.size(left + width * len(GPUS) + 10, top + height * len(IMAGES) + 12)
    heads(c, left, width, ", recorded")
    for row, (image, words, kinds) in enumerate(rows()):
        y = top + row * height
        c.text(left - 12, y + height / 2, image, size=13, anchor="end", kind="code")
        c.cells(left, y, width, height, words, kinds)


def draw_narrow(c: Canvas) -> None:
    left, top, width, height = 98, 80, 41, 38
    c.size(left + width * len(GPUS) + 6, top + height * len(IMAGES) + 8)
    heads(c, left, width, ",")
    c.text(left + width * (GPUS.index(RECORDED_GPU) + 0.5), 67, "recorded", size=13)
    for row, (image, words, kinds) in enumerate(rows()):
        y = top + row * height
        c.text(left - 6, y + height / 2, image, size=13, anchor="end", kind="code")
        c.cells(left, y, width, height, [""] * len(words), kinds)
        for i, word in enumerate(words):  # cells would shrink words of two lines
            c.text(left + width * (i + 0.5), y + height / 2, word.replace(" ", "\n"), size=12, kind="code")
