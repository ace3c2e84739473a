"""Which pages have most in common: those that use the same names of CUDA, where few pages use them. No Sphinx imports."""

import math
from collections.abc import Callable, Iterable, Mapping

MOST = 3  # pages that are named
RARE = 30  # a name that more pages use says nothing about them; it also bounds the work, whatever the site's size


def find(
    names: Mapping[str, Iterable[str]], apart: Callable[[str, str], bool], rare: int = RARE, most: int = MOST
) -> dict[str, list[str]]:
    """For each page, those that share the most with it, the nearest first.

    :param names: the names of CUDA that each page uses
    :param apart: whether the second page may be named on the first

    A name counts the more, the fewer pages use it. Each page is compared with those alone that a rare name leads to.
    """
    users: dict[str, list[str]] = {}
    for page, used in sorted(names.items()):
        for name in set(used):
            users.setdefault(name, []).append(page)
    weights = {name: math.log(1 + rare / len(pages)) for name, pages in users.items() if 2 <= len(pages) <= rare}
    found = {}
    for page, used in names.items():
        shared: dict[str, float] = {}
        for name in sorted(set(used) & weights.keys()):
            for other in users[name]:
                shared[other] = shared.get(other, 0.0) + weights[name]
        near = [other for other in shared if other != page and apart(page, other)]
        found[page] = sorted(near, key=lambda other: (-round(shared[other], 6), other))[:most]
    return found
