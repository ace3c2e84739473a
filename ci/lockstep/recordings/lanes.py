"""Runs work side by side: one item at a time in each lane, which stands for a GPU; and what may not run so."""

import queue
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from lockstep.programs.declarations import Program

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def draws(program: Program) -> bool:
    """Whether a program draws with OpenGL: a GPU on which much else has run drew pictures with holes."""
    return any(library.startswith("OpenGL::") for library in program.libs)


def asks_for_memory(program: Program) -> bool:
    """Whether a program asks how much memory of the GPU is free, which whatever else runs there changes."""
    text = program.source.read_text(encoding="utf-8")
    return "MemGetInfo" in text or "<lockstep/device_memory.hpp>" in text


def side_by_side(
    items: Iterable[Item], work: Callable[[Item, str], Outcome], lanes: list[str]
) -> Iterator[tuple[Item, Outcome]]:
    """Does `work` for each item, and gives what came of it as soon as it is done.

    :param work:  takes an item and the name of its lane
    :param lanes: names, such as the number of the only GPU that the item sees; several lanes may bear the same
    """
    free: queue.SimpleQueue[str] = queue.SimpleQueue()
    for lane in lanes:
        free.put(lane)

    def one(item: Item) -> Outcome:
        lane = free.get()
        try:
            return work(item, lane)
        finally:
            free.put(lane)

    with ThreadPoolExecutor(max_workers=len(lanes)) as pool:
        try:
            started = {pool.submit(one, item): item for item in items}
            for future in as_completed(started):
                yield started[future], future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
