"""``unison policies``: who is there, and where each is from."""

import argparse
import json
import textwrap
from typing import Any


def add_policies_parser(commands: Any) -> None:
    """Add ``policies`` to the command line."""
    p = commands.add_parser("policies", help="list eviction policies and placements")
    p.add_argument("--json", action="store_true", help="print one JSON object")
    p.set_defaults(handler=run)


def run(args: argparse.Namespace) -> int:
    """Handler of ``unison policies``."""
    from unison.experiments.lineup import LEARNED, PAIRS
    from unison.policies import PLACEMENTS, POLICIES

    found = {
        "policies": {name: cls.source for name, cls in POLICIES.items()},
        "placements": {name: cls.source for name, cls in PLACEMENTS.items()},
        "pairs": {e.name: f"{e.policy} with placement {e.placement}" for e in (*PAIRS, *LEARNED)},
    }
    if args.json:
        print(json.dumps(found))
        return 0
    for kind, entries in found.items():
        print(f"{kind}:")
        for name, source in entries.items():
            print(
                textwrap.fill(
                    source, 96, initial_indent=f"  {name:<16}", subsequent_indent=" " * 18
                )
            )
    return 0
