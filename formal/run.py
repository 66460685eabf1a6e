"""Formal proofs: ``python -m formal.run [NAME ...] [--jobs N] [--planted]`` (`make formal`).

Each proof runs for all its sizes, with its cover statements; results go to
``build/formal/summary.json``. ``--planted`` puts each wrong line into a copy of the RTL: the proof
must then fail; ``--every N`` takes a sample of them. ``--page`` writes docs/formal.md from the
summaries. Exit 1 on any surprise.
"""

import argparse
import json
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from formal import page, sby
from formal.proof import ROOT, Bug, Proof, narrowed
from formal.proofs import PROOFS

BUILD = ROOT / "build" / "formal"
_MODE = {"induction": "prove", "complete": "bmc", "bounded": "bmc"}


def label(size: dict[str, int]) -> str:
    """A size as a word: Width=4,Depth=5."""
    return ",".join(f"{k}={v}" for k, v in size.items()) or "default"


def _sources(proof: Proof, folder: Path, bug: Bug | None) -> list[Path]:
    """Copies of all files in `folder`, changed or not; the included ones last."""
    out = []
    for path in [*proof.sources(), *proof.included()]:
        text = path.read_text()
        if path.name == "unison_pkg.sv":
            text = narrowed(text, proof.narrow)
        if bug and path.name == bug.file:
            text = text.replace(bug.good, bug.bad)
        copy = folder / "src" / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)
        out.append(copy)
    return out


def check(proof: Proof, size: dict[str, int]) -> dict:
    """Prove it for one size and reach its covers."""
    folder = BUILD / proof.name / label(size)
    shutil.rmtree(folder, ignore_errors=True)
    files = _sources(proof, folder, None)
    mode = _MODE[proof.kind]
    proved = sby.run(folder / mode, mode, proof.depth, proof.top, size, files)
    covers = proof.covers_in()
    where = proof.covers or ((size, proof.cover),)
    if proof.covers and size is not proof.sizes[0]:
        covers, where = 0, ()  # reached once for all sizes, with the first
    reached, seconds = 0, proved.seconds
    for i, (cover_size, depth) in enumerate(where if covers else ()):
        cover = sby.run(folder / f"cover{i}", "cover", depth, proof.top, cover_size, files)
        reached, seconds = reached + cover.covered, seconds + cover.seconds
    return {
        "proof": proof.name, "size": label(size), "status": proved.status, "k": proved.k,
        "failed": proved.failed, "covers": covers, "reached": reached,
        "seconds": round(seconds, 1), "ok": proved.status == "PASS" and reached == covers,
    }  # fmt: skip


def plant(proof: Proof, bug: Bug) -> dict:
    """Run the proof's first size on a copy with the bug; ok when it fails."""
    if bug.places() != 1:
        raise sby.FormalError(f"{bug.name}: {bug.file}: got {bug.places()} places, expected 1")
    folder = BUILD / "planted" / bug.name
    shutil.rmtree(folder, ignore_errors=True)
    files = _sources(proof, folder, bug)
    # BMC alone: a counterexample, not an open induction.
    size, depth = proof.plant or (proof.sizes[-1], max(proof.depth, proof.cover))
    out = sby.run(folder / "bmc", "bmc", depth, proof.top, size, files)
    return {
        "proof": proof.name, "bug": bug.name, "status": out.status, "failed": out.failed,
        "seconds": round(out.seconds, 1), "ok": out.status == "FAIL",
    }  # fmt: skip


def _save(name: str, rows: list[dict], keys: tuple[str, str]) -> None:
    """Put rows into a summary, in place of those of the same proof and size or bug."""
    path = BUILD / name
    old = json.loads(path.read_text()) if path.exists() else []
    new = {tuple(r[k] for k in keys) for r in rows}
    kept = [r for r in old if tuple(r[k] for k in keys) not in new]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(kept + rows, indent=1) + "\n")


def _run(jobs: int, work: list) -> list[dict]:
    rows = []
    with ThreadPoolExecutor(jobs) as pool:
        for row in pool.map(lambda call: call[0](*call[1:]), work):
            what = row.get("size") or row["bug"]
            note = f"k={row['k']}" if row.get("k") is not None else ""
            if "covers" in row:
                note += f" covers {row['reached']}/{row['covers']}"
            note += " " + ", ".join(row["failed"])
            good = "ok" if row["ok"] else "WRONG"
            text = f"{row['proof']}: {what}: {row['status']}{' ' + note.strip()}"
            print(f"formal: {good}: {text} ({row['seconds']} s)", flush=True)
            rows.append(row)
    return rows


def main(argv: list[str] | None = None) -> int:
    """Run the proofs named, or all."""
    known = {p.name: p for p in PROOFS}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    parser.add_argument("--jobs", type=int, default=1, help="solver runs at a time")
    parser.add_argument("--planted", action="store_true", help="wrong lines must be refused")
    parser.add_argument("--every", type=int, default=1, metavar="N", choices=range(1, 10),
                        help="of the wrong lines of each proof, only every Nth")
    parser.add_argument("--page", action="store_true", help="write docs/formal.md, run nothing")
    args = parser.parse_args(argv)
    for name in args.names:
        if name not in known:
            parser.error(f"unknown proof {name!r}; valid: {', '.join(known)}")
    if args.page:
        return page.write(BUILD)
    proofs = [known[n] for n in args.names] or list(PROOFS)
    try:
        if args.planted:
            rows = _run(args.jobs, [(plant, p, b) for p in proofs for b in p.bugs[:: args.every]])
            _save("planted.json", rows, ("proof", "bug"))
        else:
            rows = _run(args.jobs, [(check, p, s) for p in proofs for s in p.sizes])
            _save("summary.json", rows, ("proof", "size"))
    except sby.FormalError as error:
        print(f"formal: {error}", file=sys.stderr)
        return 1
    good = sum(r["ok"] for r in rows)
    print(f"formal: {good} of {len(rows)} as expected", flush=True)
    return int(good != len(rows))


if __name__ == "__main__":
    raise SystemExit(main())
