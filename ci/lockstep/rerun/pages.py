"""The numbers and claims of all pages, computed from a re-run and held against what the pages say."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from lockstep.data import DataError
from lockstep.recordings import claims, deviations, keys, numbers
from lockstep.recordings.claims import ClaimError, NotRunError, PageClaims
from lockstep.recordings.deviations import Deviation
from lockstep.recordings.numbers import Limit, Reading

_BROKEN = re.compile(r'does not hold: ("[^"]+")')
_NUMBER = re.compile(rf"({numbers.NUMBER})(?:\s*([A-Za-z%][A-Za-z%/]*))?")


@dataclass
class Findings:
    """What a re-run says of the pages. `not_run`: what it cannot say, with the program that did not run.

    `otherwise`: what another model of GPU than the recordings' says otherwise: pages, and what on them.
    `counts`: by page, how many numbers and claims were compared.
    """

    problems: list[str] = field(default_factory=list)
    otherwise: list[tuple[str, str]] = field(default_factory=list)
    not_run: list[tuple[str, str]] = field(default_factory=list)
    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    deviations: list[tuple[str, Deviation]] = field(default_factory=list)


@dataclass
class Models:
    """The programs whose output comes from another model of GPU than its recording, and those that were read."""

    other: frozenset[str] = frozenset()
    read: set[str] = field(default_factory=set)


def _short(problem: str) -> str:
    """A finding without its place, its formula and its cure."""
    if match := _BROKEN.search(problem):
        return f"does not hold: {match[1]}"
    return plain(re.sub(r"; record again.*", "", problem.partition(": ")[2]))


def plain(text: str) -> str:
    """A text without the markup of measured numbers, for the record, whose readers see no source."""
    return re.sub(r":measured:`([^`]+)`", r"\1", text)


def compare(root: Path, rerun: claims.Rerun, models: Models) -> Findings:
    """Every measured number and every claim of every page; `models` tells which programs ran on another model of GPU."""
    found = Findings()
    recorded = claims.Recordings(root)
    for page in sorted((root / "docs").rglob("*.rst")):
        try:
            before = claims.load(page.with_suffix(".claims"), root, recorded)
            after = claims.load(page.with_suffix(".claims"), root, rerun)
        except DataError as error:
            found.problems += error.findings
            continue
        name = str(page.relative_to(root / "docs").with_suffix(""))
        known = len(found.problems)
        models.read.clear()
        compared = 0
        for line, text in claims.roles(page):
            compared += _compare_number(f"{keys.relative(page, root)}:{line}", name, text, before, after, found)
        not_run: list[NotRunError] = []
        found.problems += [f"{problem} (in the re-run)" for problem in after.check(not_run)]
        found.not_run += [(error.what, error.program) for error in not_run]
        found.counts[name] = compared, len(after.claims) - sum(error.what.endswith('"') for error in not_run)
        if models.read & models.other:
            found.otherwise += [(name, _short(problem)) for problem in found.problems[known:]]
            del found.problems[known:]
    return found


def _compare_number(where: str, page: str, text: str, before: PageClaims, after: PageClaims, found: Findings) -> bool:
    """One number of a page; whether it could be computed."""
    try:
        before.recordings.measured = False
        was = before.rendered(text)
        now = after.rendered(text)
    except NotRunError as error:
        found.not_run.append((f"{where}: :measured:`{text}`", error.program))
        return False
    except ClaimError as error:
        found.problems.append(f"{where}: :measured:`{text}`: {error}")
        return False
    computed = not claims.PRINTED.fullmatch(text)
    if not before.recordings.measured and not (computed and before.numbers[text].factor):
        if was != now:
            found.problems.append(f"{where}: :measured:`{text}` is exact: was {was}, is {now}; record again")
        return True
    if (pairs := _readings(was, now, computed)) is None:
        found.problems.append(f"{where}: :measured:`{text}`: was {was}, is {now}; record again")
        return True
    for first, second in pairs:
        limit = _limit(text, first, before)
        factor = numbers.apart(first.value, second.value, limit.floor)
        one = Deviation(
            text.partition(":")[0] if not computed else page, f":measured:`{text}`", first.value, second.value,
            first.unit, factor, limit.factor,
        )  # fmt: skip
        found.deviations.append((page, one))
        if one.too_far:
            cure = 'say factor = N and because = "..." under its name in the claims file' if computed else "see above"
            found.problems.append(f"{where}: {one}; record again, or {cure}")
    return True


def _readings(was: str, now: str, computed: bool) -> list[tuple[Reading, Reading]] | None:
    """The measured numbers of two texts, side by side; None if the rest of the texts differs."""
    if not computed:
        if _plain(numbers.masked(was)) != _plain(numbers.masked(now)):
            return None
        return list(zip(numbers.readings(was), numbers.readings(now), strict=True))
    was, now = (re.sub(r"(?<=\d),(?=\d{3})", "", text) for text in (was, now))  # 4,185 is one number
    if _plain(_NUMBER.sub(r"~ \2", was)) != _plain(_NUMBER.sub(r"~ \2", now)):
        return None
    found = [[numbers.reading(m[1], m[2] or "") for m in _NUMBER.finditer(text)] for text in (was, now)]
    return list(zip(*found, strict=True))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _limit(text: str, reading: Reading, page: PageClaims) -> Limit:
    """How far a number may be from the page's."""
    if match := claims.PRINTED.fullmatch(text):
        rules = page.recordings.transcript(match["program"])
        return deviations.limited(" ".join(match["label"].split()), numbers.limit(reading), rules)
    usual = numbers.limit(reading._replace(counted=False))
    # A computed number stands between two or more measured ones, each of which may move.
    factor = page.numbers[text].factor or max(usual.factor, numbers.TIME)
    return Limit(numbers.ANY if factor == "any" else factor, usual.floor)
