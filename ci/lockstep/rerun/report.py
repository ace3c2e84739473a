"""What a re-run found, as text for the one who runs it, and as the record that the site shows."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from lockstep.programs import declarations
from lockstep.programs.declarations import Program
from lockstep.recordings import claims, deviations, keys, recorder, rerun_record, transcripts
from lockstep.recordings.deviations import Deviation
from lockstep.recordings.machine import model
from lockstep.recordings.rerun_record import Counts, Kinds, NotEvaluated, Otherwise, Record, Seconds, Skipped
from lockstep.rerun import earlier, pages, results, tests
from lockstep.rerun.earlier import Earlier, Entry
from lockstep.rerun.results import FAILED, OUTPUTS, PASSED, SKIPPED, Plan, Result, ResultsError

_SHOWN = 20


@dataclass(frozen=True)
class Part:
    """The results of one shard."""

    folder: Path
    plan: Plan
    results: dict[str, Result]


@dataclass(frozen=True)
class Outcome:
    """Everything that a re-run found. `left`: what was to run in these shards, and did not; `complete`: all tests ran.

    `earlier`: what an earlier record says of tests that did not run now; `taken_over` are the pages of which it says the rest.
    """

    results: dict[str, Result]
    tests: dict[str, str]
    problems: list[str]
    pages: pages.Findings
    elsewhere: list[str]
    left: list[str]
    complete: bool
    earlier: Earlier
    taken_over: frozenset[str]

    @property
    def failed(self) -> list[Result]:
        return [result for result in self.results.values() if result.outcome == FAILED]

    @property
    def skipped(self) -> list[Result]:
        return [result for result in self.results.values() if result.outcome == SKIPPED]

    @property
    def old(self) -> list[Result]:
        """What did not run now, and stands as the earlier record says."""
        return [result for result in self.results.values() if self.earlier.results.get(result.test) is result]

    @property
    def not_evaluated(self) -> list[tuple[str, str]]:
        """Numbers and claims that lack a program, of pages of which no earlier record tells."""
        return [(what, program) for what, program in self.pages.not_run if earlier.page_of(what) not in self.taken_over]

    @property
    def passed(self) -> bool:
        return not (self.failed or self.problems or self.pages.problems or self.left)


def part(folder: Path, programs: Mapping[str, Program]) -> Part:
    """Reads the results of one shard."""
    plan = results.load_plan(folder)
    known = {name: _compared_again(folder, programs, result) for name, result in results.load(folder).items()}
    done = {name: result for name, result in known.items() if name in plan.chosen and not result.again}
    return Part(folder, plan, done)


def _compared_again(folder: Path, programs: Mapping[str, Program], result: Result) -> Result:
    """What failed, held against the transcript as it is now: a factor that is declared later needs no other run."""
    program = programs.get(result.program)
    if result.outcome != FAILED or result.kind != tests.RECORDING or not program:
        return result
    outputs = folder / OUTPUTS
    for run in rerun_record.runs(program):
        kept = outputs / run.folder / run.console.name
        if not kept.exists() or keys.problems(run, run.root):
            return result
        found = transcripts.parse(kept.read_text(encoding="utf-8"))
        recorded = keys.load(run)
        if [one.text for one in found.commands] != [one.text for one in recorded.commands]:
            return result
        if recorder.compare(run, recorded, found, outputs):
            return result
    return replace(result, outcome=PASSED, said="", again=False)


def combine(root: Path, parts: list[Part], state: str, before: Earlier) -> Outcome:
    """All shards as one; raises ResultsError where they do not belong together.

    :param before: what an earlier record says of tests that no shard has a result of
    """
    first = parts[0]
    for other in parts:
        if other.plan.tests != first.plan.tests or other.plan.state != first.plan.state:
            raise ResultsError(
                f"{other.folder} and {first.folder} are of two states of the project; run the older one again"
            )
    if first.plan.state != state:
        raise ResultsError(f"{first.folder} is of another state of the project than this one; run gpu-check again")
    merged = {name: result for name, result in before.results.items() if name in first.plan.tests}
    for one in parts:  # what one machine had to skip, another one may have run
        merged |= {name: new for name, new in one.results.items() if new.outcome != SKIPPED or name not in merged}
    absent = sorted(set(first.plan.tests) - set(merged))
    chosen = {name for one in parts for name in one.plan.chosen}
    problems = list(dict.fromkeys(problem for one in parts for problem in one.plan.problems))
    interrupted = [name for name in absent if name in chosen]
    found = pages.compare(root, *_outputs(root, parts, merged))
    ran = {name for one in parts for name in one.results}
    problems += _unexplained(found, merged, first.plan.tests, ran & chosen)
    taken_over = _taken_over(found, before, {name for name in ran if first.plan.tests.get(name) == tests.RECORDING})
    elsewhere = [name for name in absent if name not in chosen]
    return Outcome(merged, first.plan.tests, problems, found, elsewhere, interrupted, not absent, before, taken_over)


def _taken_over(found: pages.Findings, before: Earlier, now: set[str]) -> frozenset[str]:
    """The pages that need a program of which the earlier record tells; `now`: what was compared with its recording now."""
    then = {test.replace(".", "/") for test in set(before.results) - now}
    return frozenset(earlier.page_of(what) for what, program in found.not_run if program in then)


def _outputs(root: Path, parts: list[Part], merged: dict[str, Result]) -> tuple[claims.Rerun, pages.Models]:
    """What the programs printed, of those whose result counts, and which of them ran on another model of GPU."""
    printed, folders, other = {}, {}, set()
    programs = declarations.load(root)
    for one in parts:
        for result in one.results.values():
            console = one.folder / OUTPUTS / f"{result.program}.console"
            if result.kind == tests.RECORDING and result.outcome != SKIPPED and console.exists():
                printed[result.program] = transcripts.parse(console.read_text(encoding="utf-8"))
                folders[result.program] = one.folder / OUTPUTS
                recorded = keys.load(programs[result.program]).provenance.get("gpu", "")
                if model(result.machine.get("gpu", "")) != model(recorded):
                    other.add(result.program)
    models = pages.Models(frozenset(other))
    return _Outputs(root, printed, folders, models), models


class _Outputs(claims.Rerun):
    """What the shards' programs printed; each data file stands with its shard."""

    def __init__(
        self, root: Path, printed: dict[str, transcripts.Transcript], folders: dict[str, Path], models: pages.Models
    ):
        super().__init__(root, printed, root)
        self._folders = folders
        self._models = models

    def transcript(self, program: str) -> transcripts.Transcript:
        self._models.read.add(declarations.find(self.programs, program).path)
        return super().transcript(program)

    def data(self, program: Program, name: str) -> Path:
        self._models.read.add(program.path)
        file = self._folders.get(program.path, Path()) / name
        if program.path not in self._folders or not file.exists():
            raise claims.NotRunError(program.path)
        return file


def _unexplained(found: pages.Findings, merged: dict[str, Result], known: dict[str, str], ran: set[str]) -> list[str]:
    """Numbers and claims that could not be computed since a program failed.

    Others have a reason: the machine lacks something, or the test passed on a machine that kept its output.
    """
    recordings = {name for name in ran if known.get(name) == tests.RECORDING}
    failed = {name.replace(".", "/") for name in recordings if merged[name].outcome == FAILED}
    return [
        f"{what}: not evaluated, since {program} left no output; see why its test failed"
        for what, program in found.not_run
        if program in failed
    ]


def by_page(outcome: Outcome) -> list[tuple[str, Deviation]]:
    """The largest deviation of each page, the largest first."""
    largest: dict[str, Deviation] = {}
    all_of_them = [*outcome.pages.deviations]
    for result in outcome.results.values():
        page = result.program.rpartition("/")[0]
        all_of_them += [(page, Deviation(**one)) for one in result.deviations]
    for page, one in all_of_them:
        if page not in largest or one.factor > largest[page].factor:
            largest[page] = one
    return sorted(largest.items(), key=lambda item: (-item[1].factor, item[0]))


def counts(outcome: Outcome) -> dict[str, Counts]:
    """How many tests of each kind there are, passed, failed, skipped, and on which days they ran."""
    found = {}
    for kind in tests.KINDS:
        of_kind = [result for result in outcome.results.values() if result.kind == kind]
        total = sum(1 for other in outcome.tests.values() if other == kind)
        ended = Counter(result.outcome for result in of_kind)
        days = tuple(sorted({result.date for result in of_kind}))
        found[kind] = Counts(total, ended[PASSED], ended[FAILED], ended[SKIPPED], total - len(of_kind), days)
    return found


def text(outcome: Outcome) -> str:
    """The report."""
    lines = []
    for result in outcome.failed:
        lines += [f"{result.test}: FAILED", *(f"  {line}" for line in result.said.splitlines())]
    lines += [*outcome.problems, *outcome.pages.problems]
    if outcome.left:
        lines.append(
            f"{len(outcome.left)} tests did not run, {outcome.left[0]} among them; go on with: "
            "python3 ci gpu-check run --resume, with the same --shard"
        )
    lines += [f"another model of GPU: docs/{page}.rst: {what}" for page, what in outcome.pages.otherwise]
    reasons = Counter(_reason(result) for result in outcome.skipped)
    lines += [f"skipped: {count} tests: {reason}" for reason, count in sorted(reasons.items())]
    here = [(what, program) for what, program in outcome.not_evaluated if not _elsewhere(outcome, program)]
    lines += [f"not evaluated: {what}: {_why(outcome, program)}" for what, program in here]
    if others := len(outcome.not_evaluated) - len(here):
        lines.append(f"not evaluated: {others} numbers and claims that need programs of other shards")
    largest = [(page, one) for page, one in by_page(outcome) if one.factor > 1]
    if largest:
        lines.append("largest deviation from the recording, by page:")
    for page, one in largest[:_SHOWN]:
        lines.append(
            f"  {page:<44} {deviations.factor_text(one.factor):<22} {one.label}: ~{one.recorded:g}, now ~{one.found:g}"
        )
    for kind, count in counts(outcome).items():
        ended = f"{count.passed} {PASSED}, {count.failed} {FAILED}, {count.skipped} {SKIPPED}"
        lines.append(f"{kind:<12} {count.tests} tests: {ended}")
    compared = [count for page, count in outcome.pages.counts.items() if page not in outcome.taken_over]
    lines.append(f"pages        {sum(n for n, _ in compared)} numbers compared, {sum(n for _, n in compared)} claims")
    if outcome.old:
        lines.append(f"{len(outcome.old)} tests ended before, as {rerun_record.NAME} says, and did not run again")
    if outcome.elsewhere:
        lines.append(
            f"{len(outcome.elsewhere)} tests belong to other shards; python3 ci gpu-check merge DIR... joins them"
        )
    return "\n".join(lines)


def _reason(result: Result) -> str:
    """Why a test was skipped, without what it printed."""
    return result.said.partition("\n")[0]


def _elsewhere(outcome: Outcome, program: str) -> bool:
    return program.replace("/", ".") in outcome.elsewhere


def _why(outcome: Outcome, program: str) -> str:
    """Why a program left no output."""
    name = program.replace("/", ".")
    if name in outcome.results:
        return _reason(outcome.results[name]) or f"{program} left no output"
    return f"{program} belongs to another shard" if _elsewhere(outcome, program) else f"{program} was not run"


def _machines(outcome: Outcome) -> dict[str, str]:
    """On what everything ran. An earlier record may name several machines at once, today's among them."""
    machines = [result.machine for result in outcome.results.values() if result.machine]
    found = {name: {machine.get(name, "unknown") for machine in machines} for name in ("gpu", "driver", "toolkit")}
    return {
        name: ", ".join(sorted(one for one in texts if not any(one != other and one in other for other in texts)))
        for name, texts in found.items()
    }


def _pages(outcome: Outcome) -> dict[str, tuple[int, int]]:
    """How many numbers and claims of each page were compared, now or, for pages that are taken over, then."""
    before = outcome.earlier.record.pages if outcome.earlier.record else {}
    found = outcome.pages.counts | {page: before[page] for page in outcome.taken_over if page in before}
    return {page: count for page, count in sorted(found.items()) if any(count)}


def _deviations(outcome: Outcome) -> list[rerun_record.Deviation]:
    """The largest deviation of each page; of an earlier record's those whose program did not run now."""
    old = {result.test for result in outcome.old}
    recordings = (result for result in outcome.results.values() if result.kind == tests.RECORDING)
    again = {f"/{result.program}" for result in recordings if result.test not in old}
    largest = {
        page: rerun_record.Deviation(
            page, one.program, pages.plain(one.label), one.recorded, one.found, one.unit, round(one.factor, 3)
        )
        for page, one in by_page(outcome)
    }
    for entry in outcome.earlier.record.deviations if outcome.earlier.record else []:
        page, program = entry.page, entry.program
        computed = program == page  # from the output of several programs
        counts = page in outcome.taken_over if computed else not any(path.endswith(f"/{program}") for path in again)
        if counts and (page not in largest or entry.factor > largest[page].factor):
            largest[page] = entry
    return sorted(largest.values(), key=lambda entry: (-entry.factor, entry.page))


def _seconds(outcome: Outcome) -> dict[str, Seconds]:
    """How long the tests of each program took, now or then."""
    old = {result.test for result in outcome.old}
    found = dict(outcome.earlier.record.seconds) if outcome.earlier.record else {}
    now: dict[tuple[str, str], float] = defaultdict(float)
    for result in outcome.results.values():
        if result.test not in old:
            now[result.program, "recording" if result.kind == tests.RECORDING else "beside"] += result.seconds
    for (path, name), seconds in now.items():
        found[path] = replace(found.get(path, Seconds(0, 0)), **{name: round(seconds, 1)})
    return dict(sorted(found.items()))


def record(outcome: Outcome, programs: Mapping[str, Program]) -> Record:
    """The record of a re-run; it also says how many tests did not run."""
    compared = _pages(outcome)
    before = outcome.earlier.record

    def then(entries: list[Entry]) -> list[Entry]:
        """What the earlier record says of the pages that are taken over."""
        return [entry for page in sorted(outcome.taken_over) for entry in outcome.earlier.of_page(entries, page)]

    return Record(
        date=max((result.date for result in outcome.results.values()), default=""),
        **_machines(outcome),
        tests=Kinds(**counts(outcome)),
        numbers=sum(numbers for numbers, _ in compared.values()),
        claims=sum(claims for _, claims in compared.values()),
        failed=[
            *sorted(result.test for result in outcome.failed),
            *outcome.problems,
            *outcome.pages.problems,
            *then(before.failed if before else []),
        ],
        skipped=[Skipped(one.test, _reason(one)) for one in sorted(outcome.skipped, key=lambda one: one.test)],
        not_evaluated=[
            *(NotEvaluated(what, _why(outcome, program)) for what, program in outcome.not_evaluated),
            *then(before.not_evaluated if before else []),
        ],
        otherwise=[
            *(Otherwise(page, what) for page, what in outcome.pages.otherwise if page not in outcome.taken_over),
            *then(before.otherwise if before else []),
        ],
        deviations=_deviations(outcome),
        seconds=_seconds(outcome),
        pages=compared,
        programs=earlier.ended(outcome.results.values(), programs),
    )
