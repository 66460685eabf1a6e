"""Walks of the register map, held against the oracle: by field, beside the map, at random."""

from collections.abc import Iterable
from itertools import chain, islice
from random import Random

from tb.register_oracle import Oracle, Step, fields, holes, random_steps, reads
from tb.uvm.items import Transfer
from tb.uvm.sequences.registers import RegisterSequence

RANDOM_STEPS = 2000
#: Longest run of transfers without an idle cycle.
_RUN = 40


class RegisterWalk(RegisterSequence):
    """Run it after reset, with the core idle; every register is then at its reset value.

    parameters: of the build. EV_PUSH is only read, so that no event enters.
    """

    def __init__(self, seed: int, parameters: dict[str, int]) -> None:
        super().__init__("register_walk")
        self.rng = Random(seed)
        self.oracle = Oracle(parameters)
        self.accesses = 0

    async def body(self) -> None:
        anything = random_steps(self.rng, RANDOM_STEPS, push=False)
        # `fields` comes last: it ends with the resets.
        await self.walk(chain(holes(), reads(), anything, reads(), fields(self.rng)))

    async def walk(self, steps: Iterable[Step]) -> None:
        """Drive steps in runs of random length and compare every answer."""
        steps = iter(steps)
        while run := list(islice(steps, self.rng.randint(1, _RUN))):
            transfers = await self.run(
                [Transfer(s.address, s.data is not None, s.data or 0, s.strobe) for s in run]
            )
            for step, t in zip(run, transfers, strict=True):
                want = self.oracle.answer(step)
                data = None if t.write else t.data
                assert want.agrees(t.error, data), f"{step}: got {t}, expected {want}"
            self.accesses += len(run)
