"""The sampler against the golden core alone: no simulator, the keys are the core's own."""

from collections import Counter
from copy import copy
from dataclasses import replace
from pathlib import Path

import pytest

from tb.coverage.model import evaluate, read_samples
from tb.settings import Settings
from tb.tests.coverage_script import CAP_SRAM, legs
from tb.uvm.items import Transfer
from tb.uvm.scoreboard import ports
from tb.uvm.scoreboard.sampler import Sampler
from unison.contract import SlotState, Tier, mask
from unison.contract.registers import address
from unison.core import CoreConfig, EventCore
from unison.scoring import Form, raw_key, turn_index
from unison.scoring.fixed import weight_bin


def _play(form: Form, path: Path) -> tuple[Counter, Counter]:
    """Samples of the directed script, and its score samples counted the plain way."""
    settings = Settings("x", "", "", scorer=form.name.lower())
    script = list(legs(form, settings.slots))
    config = CoreConfig(CAP_SRAM, mask(settings.tok_w), settings.slots, settings.tok_w)
    golden = EventCore(config, script[0].scorer)
    sampler, plain = Sampler(), Counter()
    sampler.start(golden, settings, False)
    for leg in script:
        golden.config, golden.scorer = replace(config, tide=leg.tide), leg.scorer
        sampler.configured()
        for event in leg.events:
            slot = golden.slots[event.slot] if event.slot < settings.slots else None
            sampler.before(event, copy(slot))
            before = {i for t in (Tier.SRAM, Tier.HBM) for i in golden.candidates(t, event.slot)}
            records = golden.step(event)
            keys = None
            if golden.tide is not None or golden.choices:
                keys = {i: raw_key(golden.key(i)) for i in before}
            sampler.after(records, keys)
            for i, key in (keys or {}).items():
                s = golden.slots[i]
                if s.state != SlotState.GAP:
                    plain["score", form.name, "READY", "NA", "NA", "NA", "NA"] += 1
                    continue
                elapsed = leg.scorer.elapsed(leg.scorer.stamp(event), s.t_on)
                b = "NA" if form.by_hazard else weight_bin(elapsed, s.ghat)
                top = mask(48 if form is Form.PRODUCT else 24)
                octave = max(s.ghat, 1).bit_length() - 1
                full = int(key & mask(48) == top)
                plain["score", form.name, "GAP", b, turn_index(s.k), octave, full] += 1
    sampler.save(path)
    return read_samples([path]), plain


@pytest.mark.parametrize("form", list(Form))
def test_packed_scores_are_what_a_plain_count_gives(form: Form, tmp_path: Path) -> None:
    samples, plain = _play(form, tmp_path / "f.json")
    assert {k: n for k, n in samples.items() if k[0] == "score"} == plain


def test_script_reaches_the_corners_it_was_written_for(tmp_path: Path) -> None:
    samples, _ = _play(Form.PRODUCT, tmp_path / "f.json")
    items = {i.name: i.bins for i in evaluate(samples)}
    for name, bins in {
        "event.code_x_step": [f"{c}/WRAPS" for c in ("REQ", "GAP_CLOSE", "DONE", "MIG_DONE")],
        "event.code_x_flight_x_move": ["REQ/1/NONE>HBM", "GAP_OPEN/1/HBM>SRAM"],
        "choice.state_x_tier_x_tie": ["READY/HBM/TIE", "READY/SRAM/TIE"],
        "score.turn": map(str, range(64)),
        "score.form_x_saturated": ["PRODUCT/1"],
        "gap.octave": map(str, range(1, 26)),
        "gap.shift_x_moves": [f"{a}/{m}" for a in range(8) for m in ("RISES", "FALLS", "STAYS")],
    }.items():
        missing = [b for b in bins if not items[name][b]]
        assert not missing, f"{name}: {missing}"


def test_levels_and_refusals() -> None:
    sampler = Sampler()
    for word in (0, 8 | 16 << 8 | 1 << 16 | 1 << 17, 3 | 1 << 16):
        sampler.bus(Transfer(address("STATUS"), False, word))
    sampler.bus(Transfer(address("EV_PUSH"), True, 1, error=True))
    sampler.bus(Transfer(address("EV_PUSH"), True, 1, strobe=7, error=True))
    sampler.bus(Transfer(address("DEC_POP"), False, 0, error=True))
    assert sampler.samples == {
        ("levels", "EMPTY", "EMPTY", 0, 0): 1,
        ("levels", "FULL", "FULL", 1, 1): 1,
        ("levels", "SOME", "EMPTY", 1, 0): 1,
        ("refused", "FULL", "NA"): 1,
        ("refused", "STROBE", "NA"): 1,
        ("refused", "NO_RECORD", "NA"): 1,
    }


def _refusal(at: int, write: bool = True, data: int = 0, strobe: int = 15, error: bool = True):
    sampler = Sampler()
    sampler.bus(Transfer(at, write, data, strobe, error))
    return dict(sampler.samples)


def test_refusals_by_register() -> None:
    assert _refusal(0xFFC) == {("refused", "UNMAPPED", "NA"): 1}
    assert _refusal(address("CTRL") + 2, False) == {("refused", "UNALIGNED", "NA"): 1}
    assert _refusal(address("ID")) == {("refused", "READ_ONLY", "NA"): 1}
    assert _refusal(address("EV_PUSH"), False) == {("refused", "WRITE_ONLY", "NA"): 1}
    assert _refusal(address("CAP_HBM"), data=1 << 19) == {("refused", "LOCKED", "CAP_HBM"): 1}
    absent = {("refused", "ABSENT_BITS", "NA"): 1, ("absent", "CAP_HBM", "REFUSED"): 1}
    assert _refusal(address("CAP_HBM"), data=1 << 20) == absent
    # Not in a byte lane that is written.
    assert ("refused", "LOCKED", "CAP_HBM") in _refusal(
        address("CAP_HBM"), data=1 << 31, strobe=0b0111
    )
    ignored = {("absent", "IRQ_ENABLE", "IGNORED"): 1}
    assert _refusal(address("IRQ_ENABLE"), data=8, error=False) == ignored
    assert not _refusal(address("IRQ_ENABLE"), data=7, error=False)


def test_every_case_of_the_ports_has_a_cell() -> None:
    seen = Counter()
    for (group, *cell, case), count in ports.samples(list(range(1, ports.COUNTS + 1))):
        assert group == "port" and ports.case(*cell) == case
        seen[case] += count
    assert set(seen) == {*ports.CASES, "NONE"}
    assert sum(seen.values()) == ports.COUNTS * (ports.COUNTS + 1) // 2
