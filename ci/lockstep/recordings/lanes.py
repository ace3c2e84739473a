"""Runs work side by side: one item at a time in each lane, which stands for a GPU."""

import queue
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


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
