"""unison_ev_arb: nothing lost, order kept by source, neither source shut out; FIFO and APB here."""

import random
from collections import deque

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

from tb.block.bus import start
from tb.block.runner import run_block

DEPTH = 4
CYCLES = 6000
#: Events of the other source that may enter before one of a source that never stops asking.
PATIENCE = 4


class Bench:
    """A FIFO model behind the arbiter, an APB master and a sideband source before it."""

    def __init__(self, dut, rng: random.Random) -> None:
        self.dut, self.rng = dut, rng
        self.fifo: deque[tuple[int, int]] = deque()
        self.entered = {"apb": 0, "sb": 0}
        self.passed = {"apb": 0, "sb": 0}
        self.worst = {"apb": 0, "sb": 0}
        self.refused = 0
        self.count = 0
        self.apb_next: int | None = None
        self.sb_word: int | None = None

    def _word(self) -> int:
        self.count += 1
        return self.count

    async def cycle(self, apb: float, sideband: float, pop: float) -> None:
        """One clock cycle; `apb`, `sideband`, `pop`: how eager each is, 0..1."""
        dut, rng = self.dut, self.rng
        await FallingEdge(dut.clk_i)
        if self.sb_word is None and rng.random() < sideband:
            self.sb_word = self._word()
        dut.ev_valid_i.value = int(self.sb_word is not None)
        word = self.sb_word or 0
        dut.ev_code_i.value = word >> 28
        dut.ev_slot_i.value = word >> 20 & 255
        dut.ev_tokens_i.value = word & 0xFFFFF
        dut.full_i.value = int(len(self.fifo) == DEPTH)
        dut.last_i.value = int(len(self.fifo) == DEPTH - 1)
        access, setup = self.apb_next is not None, False
        room = access and self.apb_next > 0
        dut.apb_push_i.value = int(room)
        dut.apb_refused_i.value = int(access and not room)
        dut.apb_word_i.value = self.apb_next if room else 0
        if not access:
            setup = rng.random() < apb
        await RisingEdge(dut.clk_i)
        pushed = bool(int(dut.push_o.value))
        taken = self.sb_word is not None and bool(int(dut.ev_ready_o.value))
        assert pushed == (room or taken), "push without a source"
        assert not (room and taken), "two at once"
        full = len(self.fifo) == DEPTH
        assert not (pushed and full), "push into a full FIFO"
        want = self.apb_next if room else self.sb_word
        if pushed:
            assert int(dut.word_o.value) == want
        if setup:
            apb_full = bool(int(dut.apb_full_o.value))
            assert apb_full == (full or (taken and len(self.fifo) == DEPTH - 1)), "APB full"
            self.apb_next = 0 if apb_full else self._word()
        elif access:
            self.refused += not room
            self.apb_next = None
        if self.fifo and rng.random() < pop:
            self.fifo.popleft()
        if pushed:
            name = "apb" if room else "sb"
            self.fifo.append((name, want))
            self.entered[name] += 1
            self.worst[name] = max(self.worst[name], self.passed[name])
            self.passed[name] = 0
            self.passed["sb" if room else "apb"] += 1
        if taken:
            self.sb_word = None


@cocotb.test()
async def traffic(dut) -> None:
    """Phases of eager and idle sources; bounded waits where both never stop asking."""
    rng = random.Random(random.randrange(1 << 32))
    names = ("apb_push_i", "apb_refused_i", "ev_valid_i", "full_i", "last_i", "ts_ext_i", "now_i")
    await start(dut, apb_time_i=0, ev_time_i=0, **dict.fromkeys(names, 0))
    bench = Bench(dut, rng)
    for _ in range(CYCLES // 200):
        phase = rng.random(), rng.random(), rng.choice((0.05, 0.3, 1.0))
        for _ in range(200):
            await bench.cycle(*phase)
    bench.passed = {"apb": 0, "sb": 0}
    for pop in (0.05, 0.2, 0.5):
        bench.worst = {"apb": 0, "sb": 0}
        before = dict(bench.entered)
        for _ in range(CYCLES):
            await bench.cycle(1.0, 1.0, pop)
        for name, worst in bench.worst.items():
            got = bench.entered[name] - before[name]
            assert worst <= PATIENCE, f"{name} at pop rate {pop}: {worst} entered before"
            assert got > CYCLES * pop / 4, f"{name} at pop rate {pop}: {got} entered"
        dut._log.info(f"pop rate {pop}: {bench.entered} {bench.worst}")
    assert bench.refused > 100


@cocotb.test()
async def stamps(dut) -> None:
    """Each source's own time with TS_EXT, the core's without."""
    names = ("apb_refused_i", "full_i", "last_i")
    await start(dut, apb_push_i=0, ev_valid_i=1, **dict.fromkeys(names, 0))
    for ts_ext in (0, 1):
        for push in (0, 1):
            dut.ts_ext_i.value, dut.apb_push_i.value = ts_ext, push
            dut.now_i.value, dut.apb_time_i.value, dut.ev_time_i.value = 11, 22, 33
            await RisingEdge(dut.clk_i)
            want = 11 if not ts_ext else 22 if push else 33
            assert int(dut.ts_o.value) == want, f"TS_EXT {ts_ext} APB {push}"
            await FallingEdge(dut.clk_i)


def test_ev_arb() -> None:
    """The arbiter has no parameters."""
    run_block("unison_ev_arb", "tb.block.ev_arb.test_ev_arb")
