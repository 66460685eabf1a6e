"""What is generated from the contract is committed as generated, and is consistent."""

from pathlib import Path

import pytest

from unison.contract import CoreEvent, Record, RecordKind, Tier
from unison.contract.emit import OUTPUTS, main
from unison.contract.registers import REGISTERS, address

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", OUTPUTS)
def test_committed_file_is_the_generated_one(name):
    assert (ROOT / name).read_text() == OUTPUTS[name]()


def test_check_fails_on_a_stale_file(tmp_path, capsys):
    for name, text in OUTPUTS.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text())
    assert main(["--root", str(tmp_path), "--check"]) == 0
    (tmp_path / "rtl/unison_pkg.sv").write_text("package unison_pkg; endpackage\n")
    assert main(["--root", str(tmp_path), "--check"]) == 1
    assert "rtl/unison_pkg.sv" in capsys.readouterr().err


def test_registers_do_not_overlap_and_are_aligned():
    taken = [r.address + 4 * i for r in REGISTERS for i in range(r.count)]
    assert len(set(taken)) == len(taken)
    assert all(a % 4 == 0 and a < 0x1000 for a in taken)
    assert all(r.reset is None or r.reset < 2**r.width for r in REGISTERS)


def test_address_refuses_an_index_beyond_the_array():
    assert address("TURN", 63) == 0x2FC
    with pytest.raises(IndexError, match=r"TURN\[64\]: expected an index in 0..63"):
        address("TURN", 64)


def test_record_words_round_trip():
    r = Record(RecordKind.EVICT, 200, Tier.HBM, 2**20 - 1, 9, 4095)
    assert Record.from_words(*r.words()) == r
    with pytest.raises(ValueError, match="valid bit"):
        Record.from_words(0, 0)


def test_event_word_refuses_what_does_not_fit():
    assert CoreEvent(2, 3, 5, 2**32 + 7).word() == 0x20300005
    assert CoreEvent(2, 3, 5, 2**32 + 7).time_word() == 7
    with pytest.raises(ValueError, match=r"tokens: got 1048576, expected 0..1048575"):
        CoreEvent(1, 0, 2**20, 0).word()
