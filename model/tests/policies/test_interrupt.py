"""Ctrl-C while a policy runs as Python: it ends, it is told, and no result is kept of it."""

import signal
import subprocess
import sys
import time

import pytest

from unison.policies import PolicyError, policy
from unison.sim.simulate import simulate

SLOW = """
import pathlib, time
from unison.policies import Policy

class Slow(Policy):
    name = "slow"
    interpreted = True

    @staticmethod
    def score(s, now, p):
        pathlib.Path({mark!r}).touch()
        time.sleep(0.002)
        return now - s.t_open
"""


def test_interrupt_in_a_callback(tmp_path):
    mark, mine = tmp_path / "running", tmp_path / "slow.py"
    mine.write_text(SLOW.format(mark=str(mark)))
    command = [sys.executable, "-m", "unison", "compare", "--trace", "swe_qwen3"]
    command += ["--envelope", "gpu", "--only", "--no-bound", "--policy", f"{mine}:Slow"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 90
    while not mark.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out == ""
    assert "interrupted" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("kind", ["compiled", "interpreted"])
def test_not_a_number(tmp_path, kind):
    from tests.sim.random_events import pool_of
    from unison.sim.requests import request_rows

    mine = tmp_path / "nan.py"
    mine.write_text(
        "from unison.policies import Policy\n\n\nclass Mine(Policy):\n"
        f"    interpreted = {kind == 'interpreted'}\n\n"
        "    @staticmethod\n    def score(s, now, p):\n        return (now - now) / (now - now)\n"
    )
    with pytest.raises(PolicyError, match=r"nan\.py:\d+: .*(not a number|division by zero)"):
        simulate(pool_of(2, 0), policy(f"{mine}:Mine"), rows=request_rows([0, 1, 2, 3, 0, 1]))


def test_index_outside_p(tmp_path):
    from tests.sim.random_events import pool_of
    from unison.sim.requests import request_rows

    mine = tmp_path / "outside.py"
    mine.write_text(
        "from unison.policies import Policy\n\n\nclass Mine(Policy):\n"
        "    @staticmethod\n    def score(s, now, p):\n        return p[5]\n"
    )
    with pytest.raises(PolicyError, match="out of bounds"):
        simulate(pool_of(2, 0), policy(f"{mine}:Mine"), rows=request_rows([0, 1, 2, 3, 0, 1]))


def test_what_a_policy_calls_is_not_stale(tmp_path, monkeypatch):
    """A changed helper of a user's policy counts in the next process."""
    (tmp_path / "mine.py").write_text(
        "from numba import njit\nfrom helper import sign\nfrom unison.policies import Policy\n\n\n"
        "sign = njit(sign)\n\n\nclass Mine(Policy):\n    @staticmethod\n"
        "    def score(s, now, p):\n        return sign() * s.t_open\n"
    )
    code = (
        "from tests.sim.random_events import pool_of; from unison.policies import policy;"
        "from unison.sim.requests import request_rows; from unison.sim.simulate import simulate;"
        f"r = simulate(pool_of(2, 0), policy({str(tmp_path / 'mine.py')!r} + ':Mine'),"
        "rows=request_rows([0, 1, 2, 0, 3, 0, 2, 1, 2, 0]), keep=True);"
        "print(r.records['slot'][r.records['kind'] == 2].tolist())"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:model", prepend=":")
    seen = []
    for sign in ("1.0", "-1.0"):
        (tmp_path / "helper.py").write_text(f"def sign():\n    return {sign}\n")
        done = subprocess.run(
            [sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        seen.append(done.stdout)
    assert seen[0] != seen[1]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("    @staticmethod\n    def score(s, now):\n        return now\n", r"score\(s, now\)"),
        ("    def score(self, s, now, p):\n        return now\n", "staticmethod"),
        (
            "    def __init__(self):\n        raise RuntimeError('no')\n\n"
            "    @staticmethod\n    def score(s, now, p):\n        return now\n",
            "RuntimeError: no",
        ),
    ],
)
def test_wrong_shapes(tmp_path, body, why):
    mine = tmp_path / "wrong.py"
    mine.write_text(f"from unison.policies import Policy\n\n\nclass Mine(Policy):\n{body}")
    with pytest.raises(PolicyError, match=why) as error:
        policy(f"{mine}:Mine")
    assert "\n" not in str(error.value)
