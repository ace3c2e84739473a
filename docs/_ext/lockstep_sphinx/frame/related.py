"""Which pages have most in common: names of CUDA, terms and links that few pages have. No Sphinx imports."""

import math
from collections.abc import Callable, Iterable, Mapping

MOST = 3  # pages that are named
RARE = 30  # a topic that more pages have says nothing about them; it also bounds the work, whatever the site's size


def find(
    topics: Mapping[str, Iterable[str]], apart: Callable[[str, str], bool], rare: int = RARE, most: int = MOST
) -> dict[str, list[str]]:
    """For each page, those that share the most with it, the nearest first.

    :param topics: what each page is about: the names of CUDA that it uses, the terms and pages that it links
    :param apart: whether the second page may be named on the first

    A topic counts the more, the fewer pages have it. A page that has many others counts less, since one that links
    everything is near to nothing. Each page is compared with those alone that a rare topic leads to.
    """
    pages: dict[str, list[str]] = {}
    for page, own in sorted(topics.items()):
        for topic in set(own):
            pages.setdefault(topic, []).append(page)
    weights = {topic: math.log(1 + rare / len(having)) for topic, having in pages.items() if 2 <= len(having) <= rare}
    sizes = {
        page: math.sqrt(sum(weights[topic] for topic in set(own) & weights.keys())) for page, own in topics.items()
    }
    found = {}
    for page, own in topics.items():
        shared: dict[str, float] = {}
        for topic in sorted(set(own) & weights.keys()):
            for other in pages[topic]:
                shared[other] = shared.get(other, 0.0) + weights[topic] / sizes[other]
        near = [other for other in shared if other != page and apart(page, other)]
        found[page] = sorted(near, key=lambda other: (-round(shared[other], 6), other))[:most]
    return found
