"""Runs inside the simulator: block tests against many mutants in one process.

`MUTATION` in the environment: {"tests": each "module" or "module:pattern of names", "mutants":
numbers, "journal": path, "limits": nanoseconds by test, where known}. The original goes first
where its number, 0, does: what it takes sets the limits, and where it fails nothing else is
tried. Each mutant meets the tests in order until one fails. The journal
takes a JSON line before and after each; the runner outside reads it, also when this process dies.
"""

import importlib
import json
import os
import random
import re
from pathlib import Path

import cocotb
from cocotb._decorators import Test, TestGenerator
from cocotb.triggers import SimTimeoutError, Timer, with_timeout
from cocotb.utils import get_sim_time

from tb.block.core.bench import Bench
from tb.block.core.stimulus import Stimulus
from unison.contract.registers import address

WORK = json.loads(os.environ["MUTATION"])
JOURNAL = Path(WORK["journal"])
SEED = 1
#: Events of the original before a mutant's first reset, so that no register is 0 by luck.
BEFORE = 40
_dead: set[int] = set()


def _note(mutant: int, test: str, verdict: str, **more) -> None:
    with JOURNAL.open("a") as out:
        out.write(json.dumps({"mutant": mutant, "test": test, "verdict": verdict} | more) + "\n")


def _select(number: int) -> None:
    cocotb.packages.unison_mut_pkg.sel.value = number


async def _soil(dut) -> None:
    """The original at work, cut in mid-event with every queue full and every flag up."""
    _select(0)
    await Timer(1, unit="ns")
    if dut._name != "unison":
        return
    rng = random.Random(SEED)
    bench = Bench(dut, rng)
    await bench.reset(capacity=(300, 300))
    stimulus = Stimulus(rng, bench.core, 20)
    for _ in range(BEFORE):
        await bench.lockstep(stimulus.event(), tide=True)
    dut.dma_ready_i.value = 0
    # Records that nobody reads fill their FIFO, the next event waits, the one after is refused.
    while not await bench.apb.write(address("EV_PUSH"), stimulus.event().word()):
        pass
    await bench.apb.write(address("IRQ_ENABLE"), 7)


async def _attempt(dut, number: int, test: Test, first: bool) -> None:
    name = f"{test.module.rsplit('.', 1)[-1]}.{test.name}"
    if number in _dead or 0 in _dead:
        return
    _note(number, name, "begins")
    if first:
        await _soil(dut)
    _select(number)
    await Timer(1, unit="ns")
    random.seed(SEED)
    began = get_sim_time("ns")
    try:
        limit = WORK["limits"].get(name, 100_000_000)
        await with_timeout(test.func(dut, *test.args, **test.kwargs), limit, "ns")
    except SimTimeoutError:
        verdict, why = "killed", "no end within three times the original's cycles"
    except (AssertionError, ValueError, KeyError, IndexError, TypeError, OverflowError) as error:
        verdict, why = "killed", (str(error).splitlines() or [type(error).__name__])[0][:160]
    else:
        verdict, why = "passed", ""
    spent = int(get_sim_time("ns") - began)
    if verdict == "killed":
        _dead.add(number)
    elif number == 0:
        WORK["limits"][name] = 3 * spent + 100_000
    _note(number, name, verdict, why=why, ns=spent)


def _tests() -> list[Test]:
    out = []
    for entry in WORK["tests"]:
        name, _, pattern = entry.partition(":")
        for item in vars(importlib.import_module(name)).values():
            if isinstance(item, TestGenerator) and item.module == name:
                tests = [t for t in item.generate_tests() if not t.skip]
                out += [t for t in tests if re.match(pattern, t.name)]
    return out


def _register() -> None:
    for number in WORK["mutants"]:
        for n, test in enumerate(_tests()):

            def run(dut, number=number, test=test, first=n == 0):
                return _attempt(dut, number, test, first)

            globals()[f"m{number}_{n}"] = cocotb.test(name=f"m{number}.{test.name}")(run)


_register()
