"""Raw dumps of a replay, so that an independent implementation can be held against ours."""

import csv
import json
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

from unison.contract import CoreEvent, EventCode, Outcome, Record, RecordKind
from unison.contract.encodings import Cause
from unison.core.plan import EMA_SHIFT, Plan


def record_row(event: CoreEvent, record: Record) -> dict[str, Any]:
    """A record with names for its codes and the tick of its event."""
    row: dict[str, Any] = {
        "seq": record.seq,
        "ts": event.ts,
        "kind": record.kind.name,
        "slot": record.slot,
        "tier": record.tier.name,
        "tokens": record.tokens,
    }
    if record.kind == RecordKind.OUTCOME:
        row["outcome"] = Outcome(record.info).name
    elif record.kind == RecordKind.ERROR:
        row["cause"] = Cause(record.info).name
    return row


class Dump:
    """Writes ``parameters.json``, ``events.csv`` and ``records.csv`` into a folder.

    All values are the raw integers that cross the hardware border; `ts` is not wrapped.
    """

    def __init__(self, folder: Path, setup: Plan) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "parameters.json").write_text(json.dumps(parameters(setup), indent=1) + "\n")
        self._events_file = (folder / "events.csv").open("w", newline="")
        self._records_file = (folder / "records.csv").open("w", newline="")
        self._events = csv.writer(self._events_file, lineterminator="\n")
        self._records = csv.writer(self._records_file, lineterminator="\n")
        self._events.writerow(("index", "ts", "code", "slot", "tokens"))
        self._records.writerow(("event", "kind", "slot", "tier", "tokens", "info", "seq"))
        self._index = 0

    def add(self, event: CoreEvent, records: list[Record]) -> None:
        """Write one event and its records."""
        code = int(EventCode(event.code))
        self._events.writerow((self._index, event.ts, code, event.slot, event.tokens))
        for r in records:
            self._records.writerow(
                (self._index, int(r.kind), r.slot, int(r.tier), r.tokens, r.info, r.seq)
            )
        self._index += 1

    def __enter__(self) -> "Dump":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._events_file.close()
        self._records_file.close()


def parameters(setup: Plan) -> dict[str, Any]:
    """Everything a core is programmed with, as raw integers."""
    fixed = setup.fixed()
    return {
        **asdict(setup.config),
        "scorer": fixed.form.name.lower(),
        "gap_prior": fixed.gap_prior,
        "ema_shift": EMA_SHIFT,
        "dma_bw_q8_8": fixed.dma_bw,
        "turn": list(fixed.turn),
        "weight_w": list(fixed.weight_w),
        "weight_z": list(fixed.weight_z),
    }
