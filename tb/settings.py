"""What one run is asked to do; travels from the runner to the simulator in the environment."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from unison.contract.encodings import Arch
from unison.contract.widths import DEFAULT_LANES, DEFAULT_SLOTS, TOK_W
from unison.scoring import DEFAULT_FORM, Form

ENVIRONMENT = "UNISON_TB"
EV_DEPTH, DEC_DEPTH = 8, 16
#: What a run leaves in its folder for functional coverage.
FUNCTIONAL_FILE = "functional.json"


@dataclass(frozen=True)
class Settings:
    """One run.

    trace, envelope: names or paths, empty for tests that make their own events.
    limit: replay at most so many trace events, 0 for all.
    run_dir: where the simulator leaves `result.json`, `progress.json` and `failure.txt`.
    run_id: copied into the result, so that a stale file cannot pass for this run's.
    """

    test: str
    run_dir: str
    run_id: str
    trace: str = ""
    envelope: str = ""
    slots: int = DEFAULT_SLOTS
    lanes: int = DEFAULT_LANES
    tok_w: int = TOK_W
    scorer: str = DEFAULT_FORM.name.lower()
    arch: str = "rows"
    seed: int = 1
    limit: int = 0

    @property
    def form(self) -> Form:
        """The scorer as the model names it."""
        return Form[self.scorer.upper()]

    @property
    def parameters(self) -> dict[str, int]:
        """Parameters of tb_top; one simulator build serves all runs that share them."""
        return {
            "NumSlots": self.slots,
            "NumLanes": self.lanes,
            "TokW": self.tok_w,
            "EvDepth": EV_DEPTH,
            "DecDepth": DEC_DEPTH,
            "Scorer": int(self.form),
            "Arch": int(Arch[self.arch.upper()]),
        }

    def file(self, name: str) -> Path:
        """A file of this run."""
        return Path(self.run_dir) / name

    def dumps(self) -> str:
        """Text for the environment variable."""
        return json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> "Settings":
        """The run that this simulator was started for."""
        return cls(**json.loads(os.environ[ENVIRONMENT]))
