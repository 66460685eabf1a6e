"""`build/synth/summary.json`: one record a result, replaced when the same thing is run again."""

import fcntl
import json

from synth.library import BUILD

PATH = BUILD / "summary.json"


def read() -> dict:
    """All records, by kind and key."""
    return json.loads(PATH.read_text()) if PATH.exists() else {}


def put(kind: str, key: str, record: dict) -> None:
    """Add or replace a record."""
    PATH.parent.mkdir(parents=True, exist_ok=True)
    with PATH.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        held = read()
        held.setdefault(kind, {})[key] = record
        PATH.write_text(json.dumps(held, indent=1) + "\n")
