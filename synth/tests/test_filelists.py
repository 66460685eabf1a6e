"""The file lists: complete, package first, and as the tools expect them."""

import re
import subprocess

from tb.simulators import ROOT, wrap_verilator
from tools import filelists


def test_lists_are_fresh_and_complete() -> None:
    rtl = {p.relative_to(ROOT).as_posix() for p in ROOT.glob("rtl/*.sv")}
    for name, make in filelists.FILES.items():
        text = (ROOT / name).read_text()
        assert text == make(), f"{name}: run python -m tools.filelists"
        listed = re.findall(r"rtl/\w+\.sv", text)
        assert set(listed) == rtl, name
        assert listed[0] == "rtl/unison_pkg.sv", name


def test_verilator_takes_the_list() -> None:
    command = [wrap_verilator() / "verilator", "--lint-only", "-Wall", "--top-module", "unison",
               ROOT / "rtl/unison.vlt", "-F", ROOT / "unison.f"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, done.stderr
