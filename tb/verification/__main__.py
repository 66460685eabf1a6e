"""``python -m tb.verification [--collect] [--check]``: docs/verification.md (`make verification`).

``--collect`` first takes the results that stand in `build/` into `docs/results/evidence.json`;
``--check`` writes nothing and fails when the page is stale.
"""

import argparse

from tb.plan import check
from tb.plan.clauses import load
from tb.plan.contract import sections
from tb.plan.page import totals
from tb.simulators import ROOT
from tb.verification import collect, page

PAGE = ROOT / "docs" / "verification.md"


def main(argv: list[str] | None = None) -> int:
    """Write or compare the page; 1 when it is stale."""
    parser = argparse.ArgumentParser(prog="python -m tb.verification", description=__doc__)
    parser.add_argument("--collect", action="store_true", help="take in the results of build/")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    args = parser.parse_args(argv)
    evidence = collect.load()
    if args.collect and not args.check:
        evidence = collect.collect(evidence)
        collect.save(evidence)
    parts, contract = load(), sections()
    plan = "" if check.problems(parts, contract) else totals(parts, contract)
    text = page.render(evidence, plan)
    if not args.check:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        print("verification: docs/verification.md is stale; run: make verification")
        return 1
    print(f"verification: {PAGE.relative_to(ROOT)}: evidence of {', '.join(evidence) or 'nothing'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
