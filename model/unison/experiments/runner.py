"""Measure the cells of an experiment, in parallel, on this machine or on a Dask cluster."""

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import joblib
from tqdm import tqdm

from unison.experiments.base import Cell, Experiment, Row
from unison.experiments.store import Store

CONNECT_TIMEOUT_S = 5


class SchedulerError(ValueError):
    """A cluster that cannot be reached, or was lost: one line."""


def _measured(measure: Callable[[Cell], list[Row]], n: int, cell: Cell) -> tuple[int, list[Row]]:
    return n, measure(cell)


def run(
    experiment: Experiment,
    folder: Path,
    jobs: int = -1,
    scheduler: str | None = None,
    cells: list[Cell] | None = None,
) -> list[Row]:
    """Rows of all cells, in the order of the cells, measured or found in `folder`.

    jobs: processes, -1 for one a core. scheduler: address of a Dask scheduler, instead.
    Cells measured before with the same sources are not measured again; each is kept as soon as
    it is there, so a stopped run resumes. SchedulerError when the cluster is out of reach.
    """
    cells = experiment.cells() if cells is None else cells
    store = Store(folder)
    rows: list[list[Row] | None] = [store.get(c) for c in cells]
    todo = [n for n, found in enumerate(rows) if found is None]
    # loky replaces a worker whose memory has grown, and says so; nothing is lost by it.
    warnings.filterwarnings("ignore", message="A worker stopped while some jobs were given")
    bar = tqdm(
        total=len(cells),
        initial=len(cells) - len(todo),
        desc=experiment.name,
        unit="cell",
        disable=None,
        file=sys.stderr,
    )
    with bar, _backend(jobs, scheduler, len(todo)) as parallel:
        work = (joblib.delayed(_measured)(experiment.measure, n, cells[n]) for n in todo)
        for n, found in parallel(work) if todo else ():
            rows[n] = found
            store.put(cells[n], found)
            bar.update()
    flat = [row for part in rows for row in part]
    store.write_all(experiment.name, flat)
    return flat


@contextmanager
def _backend(jobs: int, scheduler: str | None, work: int) -> Iterator[joblib.Parallel]:
    """A joblib pool: in this process for little work, in processes, or on a cluster."""
    if scheduler is None:
        yield joblib.Parallel(
            n_jobs=1 if work < 2 else jobs, return_as="generator_unordered", batch_size=1
        )
        return
    from distributed import Client
    from distributed.comm.core import CommClosedError

    lost = (
        f"scheduler {scheduler}: out of reach, expected a running Dask scheduler (tcp://HOST:PORT)"
    )
    try:
        client = Client(scheduler, timeout=CONNECT_TIMEOUT_S)
    except (OSError, ValueError, TimeoutError, CommClosedError):
        raise SchedulerError(lost) from None
    with client:
        if not client.scheduler_info()["workers"]:
            raise SchedulerError(f"scheduler {scheduler}: got no workers, expected at least one")
        try:
            with joblib.parallel_config(backend="dask", client=client):
                yield joblib.Parallel(return_as="generator_unordered", batch_size=1)
        except (OSError, CommClosedError) as error:
            raise SchedulerError(f"{lost} ({type(error).__name__})") from None
