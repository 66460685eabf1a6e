"""``python -m tb.plan [--check]`` (`make testplan`): docs/testplan.md from the plan.

``--check`` writes nothing and fails when the page is stale. Exit 1 when the plan has a problem.
"""

import argparse

from tb.plan import check, page
from tb.plan.clauses import PlanError, load
from tb.plan.contract import sections
from tb.simulators import ROOT

PAGE = ROOT / "docs" / "testplan.md"


def main(argv: list[str] | None = None) -> int:
    """Check the plan, then write or compare the page."""
    parser = argparse.ArgumentParser(prog="python -m tb.plan", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    args = parser.parse_args(argv)
    try:
        parts = load()
    except PlanError as error:
        print(f"testplan: {error}")
        return 1
    contract = sections()
    wrong = check.problems(parts, contract)
    for line in wrong:
        print(f"testplan: {line}")
    if wrong:
        return 1
    text = page.render(parts, contract)
    where = PAGE.relative_to(ROOT)
    if args.check:
        if not PAGE.exists() or PAGE.read_text() != text:
            print(f"testplan: {where} is stale; run: make testplan")
            return 1
    else:
        PAGE.write_text(text)
    print(f"testplan: {where}: {page.totals(parts, contract)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
