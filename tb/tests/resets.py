"""Reset at any moment: whatever was under way, the core starts anew and nothing is left of it."""

from contextlib import suppress
from random import Random

import cocotb
import pyuvm
from cocotb.triggers import Timer, gather

from tb.tests.stress import ScriptTest
from tb.uvm.agents.apb_bus import CLOCK_NS
from tb.uvm.agents.decision_agent import DecisionReader
from tb.uvm.sequences.counters import ReadCounters
from tb.uvm.sequences.mixed import ApbEvents, Pace, SidebandEvents
from tb.uvm.sequences.profiles import PROFILES, script
from unison.contract import Cause
from unison.contract.registers import REGISTERS, address

RESETS = 40


class Cut(Exception):
    """The stream ends here."""


class Fragile:
    """Mixin of a sequence: it stops after the run of transfers in which `cut` was set."""

    cut = False

    async def run(self, transfers):
        """As the base class; what a core in reset answers means nothing."""
        done = await super().run(transfers)
        if self.cut:
            raise Cut
        return done

    async def body(self) -> None:
        with suppress(Cut):
            await super().body()


class FragileEvents(Fragile, ApbEvents):
    """Events over APB, up to a reset."""


class FragileReader(Fragile, DecisionReader):
    """Reads records, up to a reset."""


@pyuvm.test()
class ResetTest(ScriptTest):
    """Cuts random streams by resets, checks the reset state, then plays a whole one."""

    async def scenario(self) -> None:
        rng = Random(self.settings.seed)
        names = list(PROFILES)
        for n in range(self.settings.limit or RESETS):
            s = script(PROFILES[rng.choice(names)], self.settings, 300, n)
            if n:
                await self.restart()
                await self._after_reset()
            await self.configure(s.workload)
            board = self.env.scoreboard
            events = s.workload.events
            stream = FragileEvents(events[:200], board.sent, Pace(rng, 20), True)
            reader = FragileReader(rng, 30)
            side = SidebandEvents(events[200:], board.sent, Pace(rng, 40))
            going = [cocotb.start_soon(q.start(self.sequencer)) for q in (stream, reader)]
            going.append(cocotb.start_soon(side.start(self.env.sideband.sequencer)))
            # Not only at clock edges.
            await Timer(rng.randrange(1, 2500 * CLOCK_NS), "ns")
            self.check()
            self.env.mute()
            cocotb.top.rst_ni.value = 0
            # A sideband event may be on the pins; it is taken, and lost, before reset ends.
            stream.cut = reader.cut = side.stopped = True
            reader.finish()
            await gather(*going)
        self.fresh = False
        await self.run_script(script(PROFILES["edges"], self.settings, 1000, self.settings.seed))

    async def _after_reset(self) -> None:
        reader = ReadCounters(len(Cause))
        await self.play(reader)
        wrong = {name: v for name, v in reader.values.items() if v}
        assert not wrong, f"after reset: {wrong}, expected all 0"
        for reg in REGISTERS:
            if reg.reset is not None and reg.count == 1 and reg.name != "EV_PUSH":
                sequence = _ReadOne(reg.name)
                await self.play(sequence)
                assert sequence.value == reg.reset, f"{reg.name} after reset: {sequence.value:#x}"


class _ReadOne(ReadCounters):
    def __init__(self, name: str) -> None:
        super().__init__(0)
        self._where = {name: address(name)}

    @property
    def value(self) -> int:
        (value,) = self.values.values()
        return value
