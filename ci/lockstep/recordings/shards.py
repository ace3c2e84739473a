"""Shards: equal parts of a long run, for machines that are lent for minutes only."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class Shard:
    """Part `number` of `count`; the whole is part 1 of 1."""

    number: int = 1
    count: int = 1

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


WHOLE = Shard()


def parse(text: str) -> Shard:
    """Reads 2/5; for argparse."""
    number, slash, count = text.partition("/")
    if not (slash and number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"{text} is no shard; the second of five is 2/5")
    return Shard(int(number), int(count))


def select(items: Sequence[Item], seconds: Sequence[float | None], shard: Shard) -> list[Item]:
    """The items of one shard, in their order.

    The longest item goes to the shard that has the least so far. An item whose duration is unknown counts as much as
    the known ones do on average; if none is known, the items are dealt in turn.
    """
    known = [duration for duration in seconds if duration is not None]
    average = sum(known) / len(known) if known else 1.0
    weights = [average if duration is None else duration for duration in seconds]
    loads = [0.0] * shard.count
    chosen = []
    for i in sorted(range(len(items)), key=lambda i: (-weights[i], i)):
        least = loads.index(min(loads))
        loads[least] += weights[i]
        if least == shard.number - 1:
            chosen.append(i)
    return [items[i] for i in sorted(chosen)]
