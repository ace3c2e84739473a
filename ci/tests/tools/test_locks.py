"""Every package is locked with its hashes, and as its list asks for it."""

import pytest

from lockstep.checks import locks

DIGEST = "0123456789abcdef" * 4
LOCK = f"""# Made by `make lock` from requirements.in; do not edit.
alpha==1.2 \\
    --hash=sha256:{DIGEST} \\
    --hash=sha256:{DIGEST[::-1]}
    # via
    #   -r ci/requirements.in
    #   beta-two
beta-two==2.0 \\
    --hash=sha256:{DIGEST}
    # via -r ci/requirements.in
"""


def found(root, asked: str = "alpha<2  # a comment\nBeta_Two\n", lock: str = LOCK) -> list[str]:
    (root / "ci").mkdir()
    (root / "ci/requirements.in").write_text(asked, encoding="utf-8")
    (root / "ci/requirements.txt").write_text(lock, encoding="utf-8")
    return locks.problems(root)


def test_lock_of_its_list_is_no_finding(tmp_path):
    assert found(tmp_path) == []


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("alpha<2\nbeta-two\ngamma\n", "requirements.in:3: gamma is not in requirements.txt; run make lock"),
        ("alpha<1.2\nbeta-two\n", "requirements.in:1: requirements.txt has alpha==1.2, which is not alpha<1.2; run"),
        ("alpha\nbeta-two>=2.1\n", "requirements.in:2: requirements.txt has beta-two==2.0, which is not beta-two>=2.1"),
        ("alpha\nbeta two\n", 'requirements.in:2: "beta two" is no requirement, as in name<2; run make lock'),
        ("alpha\n", "requirements.txt:10: ci/requirements.in, for which beta-two is locked, no longer asks for it"),
    ],
)
def test_list_that_its_lock_does_not_satisfy_is_found(tmp_path, asked, message):
    assert f"ci/{message}" in "\n".join(found(tmp_path, asked))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (f" \\\n    --hash=sha256:{DIGEST}\n    # via -r", "\n    # via -r", "8: beta-two has no hash; run make lock"),
        (DIGEST[::-1], DIGEST[1:], f"2: sha256:{DIGEST[1:]} of alpha is no sha256: of 64 hexadecimal digits"),
        (DIGEST[::-1], "g" + DIGEST[1:], "of alpha is no sha256: of 64 hexadecimal digits; run make lock"),
        ("sha256:", "md5:", "2: md5:"),
        ("alpha==1.2", "alpha>=1.2", '2: "alpha>=1.2" is no package with its version, as in name==1.0, and hashes'),
        ("#   beta-two", "#   gone", "7: gone, for which alpha is locked, no longer asks for it or is gone"),
    ],
)
def test_lock_that_was_edited_is_found(tmp_path, old, new, message):
    assert old in LOCK
    assert message in "\n".join(found(tmp_path, lock=LOCK.replace(old, new)))


def test_list_without_a_lock_is_found(tmp_path):
    (tmp_path / "ci").mkdir()
    (tmp_path / "ci/requirements.in").write_text("alpha\n", encoding="utf-8")
    assert locks.problems(tmp_path) == ["ci/requirements.in:1: alpha is not in requirements.txt; run make lock"]
