"""Policies by name and from files: what is wrong is said in one line, with the place."""

import pytest

from tests.policies.story import Story
from unison.policies import PLACEMENTS, POLICIES, PolicyError, placing, policy

#: Line 6 is the score's only one.
USER = """from unison.policies import Policy

class Mine(Policy):
    @staticmethod
    def score(s, now, p):
        return {score}
"""
#: A dictionary of closures: nothing numba compiles.
ODD = "{'age': lambda: now - s.t_open}['age']()"


@pytest.fixture
def user(tmp_path):
    def write(text):
        path = tmp_path / "mine.py"
        path.write_text(text)
        return path

    return write


def story():
    story = Story()
    for t in range(40):
        story.turn(t, (t * t) % 7, 30 + t % 5)
    return story


def one_line(error):
    assert "\n" not in str(error.value)
    return str(error.value)


def test_every_policy_says_where_it_comes_from():
    for name, cls in {**POLICIES, **PLACEMENTS}.items():
        assert cls.source, name
        assert cls.__doc__, name
        assert cls().name == name


@pytest.mark.parametrize(("make", "known"), [(policy, POLICIES), (placing, PLACEMENTS)])
def test_unknown_names(make, known):
    with pytest.raises(PolicyError) as error:
        make("lur")
    text = one_line(error)
    assert "'lur'" in text
    assert all(name in text for name in known)


def test_wrong_options():
    with pytest.raises(PolicyError) as error:
        policy("timeout:minutes=5")
    assert "seconds" in one_line(error)
    with pytest.raises(PolicyError) as error:
        policy("lru:seconds=5")
    assert "none" in one_line(error)
    with pytest.raises(PolicyError, match="key=value"):
        policy("timeout:5")


def test_no_such_file():
    with pytest.raises(PolicyError, match="no such file"):
        policy("nowhere.py:Mine")


def test_syntax_error(user):
    path = user(USER.format(score="now -* 2"))
    with pytest.raises(PolicyError) as error:
        policy(f"{path}:Mine")
    assert f"{path}:6: SyntaxError" in one_line(error)


def test_error_while_loading(user):
    path = user("import unison\n\nunison.nothing_of_this_name\n")
    with pytest.raises(PolicyError) as error:
        policy(f"{path}:Mine")
    assert f"{path}:3: AttributeError" in one_line(error)


def test_missing_class(user):
    path = user(USER.format(score="now"))
    for name, want in (("Yours", "'Yours'"), ("Policy2", "Mine"), ("", "class name")):
        with pytest.raises(PolicyError) as error:
            policy(f"{path}:{name}")
        assert str(path) in one_line(error)
        assert want in one_line(error)


def test_wrong_options_of_a_file(user):
    path = user(USER.format(score="now"))
    with pytest.raises(PolicyError, match="options do not fit"):
        policy(f"{path}:Mine:speed=3")



@pytest.mark.parametrize(
    ("score", "line"),
    [
        ("s.no_such_field", 6),
        # Raised by compiled code, which knows its function only.
        ("[1.0, 2.0][int(now) + 2]", 4),
        ("{}['x']", 6),
    ],
)
def test_exception_in_score(user, score, line):
    path = user(USER.format(score=score))
    with pytest.raises(PolicyError) as error:
        story().play(policy(f"{path}:Mine"), 100)
    assert f"{path}:{line}: " in one_line(error)


def test_exception_in_params(user):
    more = "\n    def params(self, setting):\n        return setting.nothing\n"
    path = user(USER.format(score="now") + more)
    with pytest.raises(PolicyError, match="AttributeError") as error:
        story().play(policy(f"{path}:Mine"), 100)
    assert f"{path}:8: " in one_line(error)


@pytest.mark.parametrize("line", ["s.nothing = 1.0", "s.a0 = {}['x']"])
def test_exception_in_learn(user, line):
    more = f"\n    @staticmethod\n    def learn(moment, s, now, p):\n        {line}\n"
    path = user(USER.format(score="now") + more)
    with pytest.raises(PolicyError) as error:
        story().play(policy(f"{path}:Mine"), 100)
    assert f"{path}:10: " in one_line(error)


def test_what_numba_cannot_compile_still_runs(user):
    path = user(USER.format(score=ODD))
    want = story().evicted(policy("lru"), 100)
    assert len(want) > 10
    assert story().evicted(policy(f"{path}:Mine"), 100) == want


def test_interpreted_twin(user):
    """The same class, compiled and as plain Python, learning included."""
    twin = """from unison.policies.size_aware import Gdsf

class Mine(Gdsf):
    interpreted = True
"""
    path = user(twin)
    want = story().evicted(policy("gdsf"), 100)
    assert len(want) > 10
    assert story().evicted(policy(f"{path}:Mine"), 100) == want
