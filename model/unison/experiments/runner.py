"""Measure the cells of an experiment, in parallel, on this machine or on a Dask cluster."""

import logging
import queue
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import joblib
from tqdm import tqdm

from unison.experiments.base import Cell, Experiment, Row
from unison.experiments.store import Store

CONNECT_TIMEOUT_S = 5
#: A cluster without workers for so long, seconds, is taken for lost.
NO_WORKERS_S = 15


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
    Cells measured before with the same sources and data are not measured again; each is kept as
    soon as it is there, so a stopped run resumes. SchedulerError when the cluster is out of reach
    or lost.
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
    with bar:
        work = [joblib.delayed(_measured)(experiment.measure, n, cells[n]) for n in todo]
        for n, found in _results(work, len(todo), jobs, scheduler) if todo else ():
            rows[n] = found
            store.put(cells[n], found)
            bar.update()
    flat = [row for part in rows for row in part]
    store.write_all(experiment.name, flat)
    return flat


def _results(work: Iterable, size: int, jobs: int, scheduler: str | None) -> Iterator[tuple]:
    """What the delayed calls of `work` return, as they end; `size` of them."""
    if scheduler is None:
        # In this process for little work.
        pool = joblib.Parallel(
            n_jobs=1 if size < 2 else jobs, return_as="generator_unordered", batch_size=1
        )
        yield from pool(work)
        return
    with _client(scheduler) as client:
        yield from _on_cluster(work, client, scheduler)


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    """A connection to a Dask scheduler that has workers."""
    from distributed import Client
    from distributed.comm.core import CommClosedError

    # It would tell its own story of every lost connection; ours is one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    gone = f"scheduler {scheduler}: out of reach, expected a running Dask scheduler"
    try:
        client = Client(scheduler, timeout=CONNECT_TIMEOUT_S)
    except (OSError, ValueError, TimeoutError, CommClosedError):
        raise SchedulerError(f"{gone} (tcp://HOST:PORT)") from None
    try:
        if not _workers(client):
            raise SchedulerError(f"scheduler {scheduler}: got no workers, expected at least one")
        yield client
    finally:
        with suppress(Exception, CancelledError):
            client.close(timeout=2)


def _workers(client: Any) -> int:
    """Workers now; 0 as well when the scheduler does not answer."""
    try:
        return len(client.scheduler_info(n_workers=-1)["workers"])
    except (Exception, CancelledError):
        return 0


def _on_cluster(work: Iterable, client: Any, scheduler: str) -> Iterator[tuple]:
    """Results through a thread of their own: joblib waits for ever for a cluster that is gone."""
    found: queue.Queue = queue.Queue()

    def collect() -> None:
        try:
            with joblib.parallel_config(backend="dask", client=client):
                pool = joblib.Parallel(return_as="generator_unordered", batch_size=1)
                for item in pool(work):
                    found.put((item, None))
            found.put((None, None))
        except (Exception, CancelledError) as error:
            found.put((None, error))

    threading.Thread(target=collect, daemon=True).start()
    lost = SchedulerError(
        f"scheduler {scheduler}: lost during the run; what was measured is kept, run it again"
    )
    alone_since = None
    while True:
        try:
            item, error = found.get(timeout=1)
        except queue.Empty:
            if _workers(client):
                alone_since = None
                continue
            alone_since = alone_since or time.monotonic()
            if time.monotonic() - alone_since > NO_WORKERS_S:
                raise lost from None
            continue
        if error is not None:
            raise (lost if _is_loss(error) else error) from None
        if item is None:
            return
        yield item


def _is_loss(error: BaseException) -> bool:
    """Whether an exception tells of a cluster that went away."""
    kinds = (OSError, CancelledError, TimeoutError)
    return isinstance(error, kinds) or type(error).__module__.startswith(("distributed", "joblib"))
