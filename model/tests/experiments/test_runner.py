"""The runner: parallel, resumable, on a cluster, with the same bytes every way."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from unison.experiments import control_plane, runner
from unison.experiments.registry import experiment, names
from unison.experiments.runner import SchedulerError, run
from unison.experiments.store import Store

SAMPLE = control_plane.sample()
ONE = control_plane.EXPERIMENT


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """Rows and bytes of the sample, measured in this process."""
    folder = tmp_path_factory.mktemp("reference")
    rows = run(ONE, folder, jobs=1, cells=SAMPLE)
    return rows, (folder / "control-plane.jsonl").read_bytes()


def test_processes_give_the_same_bytes(reference, tmp_path):
    assert run(ONE, tmp_path, jobs=2, cells=SAMPLE) == reference[0]
    assert (tmp_path / "control-plane.jsonl").read_bytes() == reference[1]


def test_resumes_with_the_same_bytes(reference, tmp_path):
    """Two cells are there, one of them damaged: only what is missing is measured."""
    store = Store(tmp_path)
    run(ONE, tmp_path, jobs=1, cells=SAMPLE[:2])
    store._path(SAMPLE[1]).write_text('{"cell":')
    measured = []

    def measure(cell):
        measured.append(cell)
        return control_plane.measure(cell)

    partly = type(ONE)(**{**ONE.__dict__, "measure": measure})
    assert run(partly, tmp_path, jobs=1, cells=SAMPLE) == reference[0]
    assert measured == SAMPLE[1:]
    assert (tmp_path / "control-plane.jsonl").read_bytes() == reference[1]


def test_killed_sweep_resumes(reference, tmp_path):
    """A sweep killed in the middle leaves whole cells only, and goes on from them."""
    code = (
        "from unison.experiments import control_plane as c; from pathlib import Path;"
        "from unison.experiments.runner import run;"
        f"run(c.EXPERIMENT, Path({str(tmp_path)!r}), jobs=1, cells=c.sample())"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("*.json")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    done = list(tmp_path.glob("*.json"))
    assert done
    assert all(json.loads(p.read_text())["rows"] for p in done)
    assert run(ONE, tmp_path, jobs=1, cells=SAMPLE) == reference[0]
    assert (tmp_path / "control-plane.jsonl").read_bytes() == reference[1]


def test_cluster_of_two_workers(reference, tmp_path):
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is absent")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    )
    with cluster:
        rows = run(ONE, tmp_path, scheduler=cluster.scheduler_address, cells=SAMPLE)
    assert rows == reference[0]
    assert (tmp_path / "control-plane.jsonl").read_bytes() == reference[1]


def test_cluster_that_is_gone(tmp_path):
    pytest.importorskip("distributed", reason="the extra `cluster` is absent")
    with pytest.raises(SchedulerError, match=r"^scheduler tcp://127.0.0.1:9: out of reach[^\n]*$"):
        run(ONE, tmp_path, scheduler="tcp://127.0.0.1:9", cells=SAMPLE)


@pytest.mark.parametrize("what", ["workers", "all"])
def test_cluster_lost_during_a_run(tmp_path, monkeypatch, what):
    """What was measured is kept, and the run ends with one line."""
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is absent")
    monkeypatch.setattr(runner, "NO_WORKERS_S", 1)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    )

    def lose():
        while not list(tmp_path.glob("*.json")):
            time.sleep(0.05)
        if what == "all":
            cluster.close(timeout=5)
        else:
            cluster.scale(0)

    threading.Thread(target=lose, daemon=True).start()
    with pytest.raises(SchedulerError, match=r"lost during the run[^\n]*$"):
        run(ONE, tmp_path, scheduler=cluster.scheduler_address, cells=control_plane.cells())
    assert 0 < len(list(tmp_path.glob("*.json"))) < len(control_plane.cells())
    with suppress(Exception):
        # It may be on its way down already.
        cluster.close(timeout=5)


def test_every_experiment_is_complete():
    for name in names():
        one = experiment(name)
        assert one.name == name
        assert one.title
        assert "\n" not in one.title


def test_unknown_name_lists_the_valid_ones():
    with pytest.raises(ValueError, match="control-plane"):
        experiment("nothing")


def _page_and_sample(name):
    page = Path(__file__).parents[3] / "docs" / "results" / f"{name}.md"
    return page.read_text().splitlines(), experiment(name)


@pytest.mark.parametrize("name", names())
def test_committed_page_matches_a_fresh_run(name, tmp_path):
    """Some cells of every committed page, measured again: their lines stand in the page."""
    lines, one = _page_and_sample(name)
    cells = one.sample()
    if not cells:
        pytest.skip(f"{name}: what it measures is not beside the repository")
    found = one.detail(run(one, tmp_path, jobs=1, cells=cells))
    assert found
    missing = [line for line in found if line not in lines]
    assert not missing, f"stale: run `unison exp {name}`"
