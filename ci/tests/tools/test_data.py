"""The one reader of data files: each thing that can be wrong with a file is one finding with its line and a cure."""

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest

from lockstep import data


@dataclass(frozen=True)
class Number:
    is_: data.Text
    factor: Literal["any"] | Annotated[float, data.Rule("a number of at least 1", lambda n: n >= 1)] = 1.0
    because: str | None = None

    def contradictions(self) -> data.Problems:
        if self.factor != 1 and not self.because:
            yield "factor", "needs a reason"


@dataclass(frozen=True)
class Page:
    measured: dict[str, str | Number]
    days: tuple[data.Day, ...] = ()
    pair: tuple[str, data.Count] = ("", 0)


def toml(text: str | bytes) -> data.Document[Page]:
    return data.parse(text if isinstance(text, bytes) else text.encode(), Page, "page.claims", is_json=False)


def json(text: str | bytes) -> data.Document[Page]:
    content = text if isinstance(text, bytes) else text.encode()
    return data.parse(content, Page, "page.json", is_json=True, cure="python3 ci page writes it")


GOOD = """\
days = ["2026-11-23"]
pair = ["a", 2]

[measured]
rate = 'value("demo", "rate")'

[measured.most]
is = '''max(column("a.csv",
 factor = 3))'''
factor = 2
because = "why"
"""


def test_a_good_file_becomes_its_model():
    page = toml(GOOD).value
    assert page.measured["rate"] == 'value("demo", "rate")' and page.measured["most"].factor == 2.0
    assert page.days == ("2026-11-23",) and page.pair == ("a", 2)


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("factor = 2", "factr = 2", '10: measured.most.factr: unknown key; did you mean "factor"?; there are is,'),
        ("factor = 2", "zzz = 2", "10: measured.most.zzz: unknown key; there are is, factor, because"),
        ("factor = 2", "factor = 0.5", "10: measured.most.factor: is 0.5; expected a number of at least 1"),
        ("factor = 2", "factor = true", '10: measured.most.factor: is true; expected "any" or a number of at least 1'),
        ("factor = 2", "factor = nan", "10: measured.most.factor: is NaN; expected a number"),
        ("factor = 2", 'factor = "all"', '10: measured.most.factor: is "all"; expected "any"'),
        ('because = "why"\n', "", "10: measured.most.factor: needs a reason; correct it"),
        (
            "is = '''max(column(\"a.csv\",\n factor = 3))'''",
            "",
            '7: measured.most: lacks "is", a text that is not empty; correct it',
        ),
        ('\'value("demo", "rate")\'', "43.7", "5: measured.rate: is 43.7; expected a text or a table with is, factor"),
        ('\'value("demo", "rate")\'', '["a"]', "5: measured.rate: is a list; expected a text or a table"),
        ("2026-11-23", "2026-11-32", '1: days.1: is "2026-11-32"; expected a day such as 2026-11-23'),
        ("2026-11-23", "2099-01-01", '1: days.1: is "2099-01-01"; expected a day such as 2026-11-23 that is not in'),
        ("2026-11-23", "", '1: days.1: is ""; expected a day'),
        ('["a", 2]', '["a", -1]', "2: pair.2: is -1; expected a whole number of at least 0"),
        ('["a", 2]', '["a"]', "2: pair: has 1 entries; expected 2"),
        ("[measured]\n", "[measured\n", "4: cannot be read: Expected"),
        ('because = "why"', 'because = "why', "11: cannot be read: "),
    ],
)
def test_what_is_wrong_with_toml_is_one_finding_at_its_line(old, new, finding):
    assert old in GOOD
    with pytest.raises(data.DataError) as raised:
        toml(GOOD.replace(old, new))
    (said,) = raised.value.findings
    assert said.startswith(f"page.claims:{finding}")


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        (b"\xef\xbb\xbf[measured]", "page.claims:1: begins with a byte order mark; save it as UTF-8 without one"),
        (b"[measured]\nx = '\xe9'", "page.claims:2: the byte 0xe9 is not UTF-8; save it as UTF-8"),
        (b"", 'page.claims:1: lacks "measured", a table; correct it'),
    ],
)
def test_file_that_is_no_text_is_one_finding(content, finding):
    with pytest.raises(data.DataError) as raised:
        toml(content)
    assert raised.value.findings == [finding]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("null", "page.json:1: is null; expected a table with measured, days, pair; python3 ci page writes it"),
        ("[]", "page.json:1: is an empty list; expected a table"),
        ("", "page.json:1: cannot be read: Expecting value; python3 ci page writes it"),
        ('{"measured": {', "page.json:1: cannot be read: "),
        ('{\n"measured": {},\n"measured": {}}', 'page.json:1: cannot be read: "measured" stands twice in one table'),
        ('{"measured": NaN}', "page.json:1: measured: is NaN; expected a table"),
        (
            '{"measured":\n{"a":\n{"is":\n "x, {", "factor": [3]}}}',
            'page.json:4: measured.a.factor: is a list; expected "any"',
        ),
        ('{"days": ["2026-11-23",\n "x"], "measured": {}}', 'page.json:2: days.2: is "x"; expected a day'),
        ('{"days": null, "measured": {}}', "page.json:1: days: is null; expected a list"),
        ("[" * 100000, "page.json:1: tables within tables, too deep"),
        ('{"measured": ' + "9" * 5000 + "}", "page.json:1: cannot be read: Exceeds the limit"),
    ],
)
def test_what_is_wrong_with_json_is_one_finding_at_its_line(text, finding):
    with pytest.raises(data.DataError) as raised:
        json(text)
    (said,) = raised.value.findings
    assert said.startswith(finding)


def test_each_mistake_has_its_own_finding():
    with pytest.raises(data.DataError) as raised:
        toml("pair = 3\ndays = [1, 2]\n[measured.a]\nwas = 1\n")
    lines = [said.split(": ")[0].rpartition(":")[2] for said in raised.value.findings]
    assert sorted(lines) == ["1", "2", "2", "3", "4"]


def test_file_that_is_not_there_is_one_finding(tmp_path):
    with pytest.raises(data.DataError, match=r"^x.toml: cannot be read \(No such file or directory\); restore it$"):
        data.read(tmp_path / "x.toml", Page, tmp_path, "restore it")


def test_what_is_found_wrong_later_has_its_line_too():
    page = toml(GOOD)
    assert page.at("measured", "most", "factor") == "page.claims:10"
    assert page.at("measured", "most", "format") == "page.claims:7" and page.at("gone") == "page.claims:1"
