"""The fast regression that meets each mutant, cheapest killer first."""

from dataclasses import dataclass, field

from unison.contract.widths import COMPACT_W
from unison.scoring import DEFAULT_FORM, Form


@dataclass(frozen=True)
class Stage:
    """Block tests of one build, many mutants in one process.

    tests: modules, each with a pattern of test names behind a colon if not all are meant.
    below: modules whose mutants it can see; none: all of them.
    """

    name: str
    top: str
    tests: tuple[str, ...]
    shape: dict[str, int]
    below: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)


_CORE = {
    "NumSlots": 32, "NumLanes": 2, "EvDepth": 4, "DecDepth": 5, "TokW": 12,
    "Scorer": int(DEFAULT_FORM),
}  # fmt: skip
_SMALL = {"NumSlots": 16, "NumLanes": 1, "Scorer": 1, "EvDepth": 4, "DecDepth": 5}
_SCORE = (
    "unison_score_compact", "unison_normalise", "unison_octave", "unison_turn_index",
)  # fmt: skip
_LINEAR = (
    "unison_rank_linear", "unison_walk", "unison_compare", "unison_score_ratio",
    "unison_score_reciprocal",
)  # fmt: skip
_GHAT = ("unison_normalise", "unison_ghat_pack", "unison_ghat_unpack")
_RANK = (
    *_SCORE, "unison_rank", "unison_rank_lane", "unison_rank_sums", "unison_keep", "unison_best",
)  # fmt: skip
_BUS = (
    "unison", "unison_apb", "unison_config", "unison_tables", "unison_timebase", "unison_counters",
    "unison_ev_arb", "unison_fifo",
)  # fmt: skip
_QUOTIENT = ("unison_score_quotient", "unison_turn_index")
_REGISTERS = "tb.block.apb_registers"

STAGES = (
    Stage("quick", "unison", ("tb.mutation.quick",), _CORE),
    Stage("registers", "unison",
          ("tb.block.core.test_ports", f"{_REGISTERS}.test_registers",
           f"{_REGISTERS}.test_fields:(?!every_hole).*(master=0|interrupt)",
           f"{_REGISTERS}.test_fields:random_accesses/master=1"),
          _CORE, _BUS),
    Stage("latency", "unison_latency", ("tb.block.latency.test_latency",), {},
          ("unison_latency",)),
    Stage("counters", "unison_counters", ("tb.block.counters.test_counters",), {},
          ("unison_counters",)),
    Stage("fifo", "unison_fifo", ("tb.block.fifo.test_fifo",), {"Depth": 5, "Width": 49},
          ("unison_fifo",)),
    Stage("ev_arb", "unison_ev_arb", ("tb.block.ev_arb.test_ev_arb",), {},
          ("unison_ev_arb",)),
    Stage("quotient", "unison_score_quotient", ("tb.block.score.test_score",), {"Steps": 3},
          _QUOTIENT, {"FORM": "1", "LATENCY": "10"}),
    Stage("product", "unison_score_product", ("tb.block.score.test_score",), {},
          ("unison_score_product", "unison_octave", "unison_turn_index"),
          {"FORM": "0", "LATENCY": "6"}),
    Stage("compact", "unison_score_compact", ("tb.block.score.test_score",), {}, _SCORE,
          {"FORM": "4", "LATENCY": "6"}),
    Stage("pack", "unison_ghat_pack", ("tb.block.score.test_ghat:rounds_to_code",), {}, _GHAT),
    Stage("unpack", "unison_ghat_unpack", ("tb.block.score.test_ghat:every_code",), {}, _GHAT),
    Stage("rank", "unison_rank", ("tb.block.rank.test_rank",),
          {"NumSlots": 64, "NumLanes": 4, "Scorer": 0}, _RANK),
    Stage("rank compact", "unison_rank", ("tb.block.rank.test_rank",),
          {"NumSlots": 16, "NumLanes": 2, "Scorer": 4, "GhatW": Form.COMPACT.ghat_w,
           "KeyW": COMPACT_W + 1}, _RANK),
    Stage("linear", "unison_rank_linear", ("tb.block.rank.test_linear",),
          {"NumSlots": 64, "Scorer": 2, "Sparse": 1}, _LINEAR),
    Stage("linear quotient", "unison_rank_linear", ("tb.block.rank.test_linear",),
          {"NumSlots": 16, "Scorer": 3, "Sparse": 0}, _LINEAR),
    Stage("reciprocal", "unison_score_reciprocal", ("tb.block.score.test_score",), {},
          ("unison_score_reciprocal",), {"FORM": "3", "LATENCY": "5"}),
    Stage("divide", "unison_tide_divide", ("tb.block.tide_divide.test_tide_divide",), {"Steps": 4},
          ("unison_tide_divide",), {"LATENCY": "6"}),
    Stage("small", "unison",
          ("tb.block.core.test_edges", "tb.block.core.test_ports", "tb.block.core.test_core"),
          _SMALL, env={"EVENTS": "300", "LEGS": "3"}),
)  # fmt: skip
