"""Constrained-random profiles; a failing one is shrunk in the same simulation to a short case."""

from random import Random

import pyuvm

from tb.simulators import BUILD
from tb.uvm import cases
from tb.uvm.agents.dma_agent import DmaAgent
from tb.uvm.base_test import BaseTest, Mismatch
from tb.uvm.script import Script, Step
from tb.uvm.sequences.configure import Rewriting
from tb.uvm.sequences.profiles import PROFILES, script
from tb.uvm.sequences.stream import EventStream
from unison.contract import CoreEvent
from unison.scoring import Form

EVENTS, EVENTS_EACH = 3000, 500


class ScriptTest(BaseTest):
    """Plays scripts one after the other, each from reset."""

    fresh = True

    def end_of_elaboration_phase(self) -> None:
        super().end_of_elaboration_phase()
        self.env.dma.pattern = DmaAgent.slow(Random(self.settings.seed), 40)

    async def run_script(self, s: Script) -> dict[str, int]:
        """From reset to the comparison of the counters. Mismatch or AssertionError."""
        if not self.fresh:
            await self.restart()
        self.fresh = False
        await self.configure(s.workload)
        begin, events = 0, s.workload.events
        for end in sorted({*s.rewrites, len(events)}):
            if begin < end:
                await self._feed(events[begin:end])
            if rewrite := s.rewrites.get(end):
                self.env.scoreboard.rewrite(rewrite)
                self.check()
                await self.play(Rewriting(rewrite))
            begin = end
        return await self.conclude()

    async def _feed(self, events: list[CoreEvent]) -> None:
        # MIG_DONEs are in the script, so it alone decides what enters.
        await self.play(EventStream(events, self.env.dma, None, self.env.scoreboard.sent))

    async def judge(self, s: Script, name: str) -> None:
        """Run; what fails is shrunk, saved, and raised with the case's path."""
        try:
            await self.run_script(s)
        except (Mismatch, AssertionError) as error:
            index = self.env.scoreboard.events
            path = BUILD / "cases" / f"{name}-seed{self.settings.seed}.json"
            shrinker = cases.Shrinker(lambda steps: self._fails(s, steps))
            short = s.of(await shrinker.shrink(s.steps, s.step_of(index)))
            first = str(error).splitlines()[0]
            cases.save(path, short, first)
            note = (
                f"{first}\n  shrunk from {_size(s)} to {_size(short)} in {shrinker.tries} runs: "
                f"{path}\n  to keep it: cp {path} tb/cases/; replay: TEST=cases\n"
            )
            await self._fails(s, short.steps)
            raise Mismatch(note + (self.env.scoreboard.failure or "")) from None

    async def _fails(self, s: Script, steps: list[Step]) -> bool:
        short = s.of(steps)
        if not short.playable():
            return False
        try:
            await self.run_script(short)
        except (Mismatch, AssertionError):
            return True
        return False


def _size(s: Script) -> str:
    rewrites = f" and {len(s.rewrites)} rewrites" if s.rewrites else ""
    return f"{len(s.workload.events)} events{rewrites}"


@pyuvm.test()
class ProfileTest(ScriptTest):
    """The profile of the test's name, `random_<profile>`."""

    async def scenario(self) -> None:
        name = self.settings.test.removeprefix("random_")
        count = self.settings.limit or EVENTS
        s = script(PROFILES[name], self.settings, count, self.settings.seed)
        await self.judge(s, self.settings.test)
        self.result = {"profile": name, "planned": len(s.workload.events)}


@pyuvm.test()
class AllProfilesTest(ScriptTest):
    """All profiles, each from reset; `profiles` gives the events of each."""

    async def scenario(self) -> None:
        done = {}
        for name, profile in PROFILES.items():
            count = self.settings.limit or EVENTS_EACH
            s = script(profile, self.settings, count, self.settings.seed)
            await self.judge(s, f"random_{name}")
            done[name] = self.env.scoreboard.events
        self.result = {"profiles": done, "events": sum(done.values())}


@pyuvm.test()
class CasesTest(ScriptTest):
    """Every case under tb/cases that fits this build: slots, token width, what the tables hold."""

    async def scenario(self) -> None:
        s, done = self.settings, []
        form = Form[s.scorer.upper()]
        for path in sorted(cases.FOLDER.glob("*.json")):
            case, found_with = cases.load(path, form)
            config = case.workload.config
            same = found_with.by_hazard == form.by_hazard
            if (config.slots, config.tok_w) == (s.slots, s.tok_w) and same:
                await self.run_script(case)
                done.append(path.stem)
        assert done, "no case fits this build"
        self.result = {"cases": done}
