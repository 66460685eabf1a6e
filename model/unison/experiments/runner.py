"""Measure the cells of an experiment, in parallel, on this machine or on a Dask cluster."""

import _thread
import logging
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pathlib import Path

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

    # It would tell its own story of every lost connection; ours is one line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    gone = (
        f"scheduler {scheduler}: out of reach, expected a running Dask scheduler (tcp://HOST:PORT)"
    )
    try:
        client = Client(scheduler, timeout=CONNECT_TIMEOUT_S)
    except (OSError, ValueError, TimeoutError, CommClosedError):
        raise SchedulerError(gone) from None
    watch = _Watch(client)
    try:
        if not watch.workers():
            raise SchedulerError(f"scheduler {scheduler}: got no workers, expected at least one")
        watch.start()
        with joblib.parallel_config(backend="dask", client=client):
            yield joblib.Parallel(return_as="generator_unordered", batch_size=1)
    except SchedulerError:
        raise
    except (Exception, CancelledError, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt) and not watch.lost:
            raise
        if not watch.lost and not _is_loss(error):
            raise
        raise SchedulerError(
            f"scheduler {scheduler}: lost during the run; what was measured is kept, run it again"
        ) from None
    finally:
        watch.stop()
        with suppress(Exception, CancelledError):
            client.close(timeout=2)


def _is_loss(error: BaseException) -> bool:
    """Whether an exception tells of a cluster that went away."""
    kinds = (OSError, CancelledError, TimeoutError)
    return isinstance(error, kinds) or type(error).__module__.startswith(("distributed", "joblib"))


class _Watch(threading.Thread):
    """Interrupts the main thread when a cluster has had no workers for a while."""

    def __init__(self, client: object) -> None:
        super().__init__(daemon=True)
        self.lost = False
        self._client = client
        self._end = threading.Event()

    def workers(self) -> int:
        """Workers now; 0 as well when the scheduler does not answer."""
        try:
            return len(self._client.scheduler_info(n_workers=-1)["workers"])
        except Exception:
            return 0

    def run(self) -> None:
        """Look every second."""
        alone_since = None
        while not self._end.wait(1):
            if self.workers():
                alone_since = None
                continue
            alone_since = alone_since or time.monotonic()
            if time.monotonic() - alone_since > NO_WORKERS_S:
                self.lost = True
                _thread.interrupt_main()
                return

    def stop(self) -> None:
        """End the watch."""
        self._end.set()
