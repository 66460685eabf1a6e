"""A failure that needs a rewrite is planted in the reference: it must be shrunk to a short case."""

from dataclasses import replace

import pyuvm
from pyuvm import uvm_factory

from tb.simulators import BUILD
from tb.tests.stress import ScriptTest
from tb.uvm import cases
from tb.uvm.base_test import Mismatch
from tb.uvm.scoreboard.scoreboard import Scoreboard
from tb.uvm.sequences.profiles import PROFILES, script

EVENTS = 120
#: Steps of a case that is short: what shows a wrong table is one rewrite and one ranking.
SHORT = 8


class ForgetfulScoreboard(Scoreboard):
    """Keeps the old W table in a rewrite while it `forgets`."""

    forgets = True

    def rewrite(self, rewrite) -> None:
        """As the base class, but for the one table."""
        if self.forgets:
            old = self.golden.scorer.weight_w
            rewrite = replace(rewrite, fixed=replace(rewrite.fixed, weight_w=old))
        super().rewrite(rewrite)


@pyuvm.test()
class ShrinkTest(ScriptTest):
    """Passes when the failure becomes a short case that fails, and passes with a true reference."""

    def build_phase(self) -> None:
        uvm_factory().set_type_override_by_type(Scoreboard, ForgetfulScoreboard)
        super().build_phase()

    async def scenario(self) -> None:
        s = script(PROFILES["rewrites"], self.settings, EVENTS, self.settings.seed)
        path = BUILD / "cases" / f"shrink-seed{self.settings.seed}.json"
        path.unlink(missing_ok=True)
        try:
            await self.judge(s, "shrink")
        except Mismatch as difference:
            report = str(difference)
        else:
            raise AssertionError("the forgotten table went unnoticed")
        assert f"shrunk from {EVENTS} events and {len(s.rewrites)} rewrites to" in report, report
        assert report.startswith("MISMATCH"), report
        short, _scorer = cases.load(path)
        steps = len(short.steps)
        assert short.playable() and short.rewrites, "the case has lost its rewrite"
        assert steps <= SHORT, f"{steps} steps, expected at most {SHORT}"
        assert await self._fails(s, short.steps), "the shrunk list does not fail"
        self.env.scoreboard.forgets = False
        await self.run_script(short)
        self.result = {"steps": steps, "report": report}
