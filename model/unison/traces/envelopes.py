"""Pools to replay on: capacities of both tiers and what reading, filling and moving costs.

KV size: Qwen3-Coder-30B-A3B, 48 layers * 2 (K, V) * 4 KV heads * 128 * 2 bytes. A read cost
is bytes a token / bandwidth; the sources of the bandwidths are in the table's `*_source`.
"""

from dataclasses import dataclass

from unison.contract.widths import BW_F, BW_W, TICKS_PER_MS, mask

KV_BYTES = 48 * 2 * 4 * 128 * 2
#: Floating-point operations a prefilled token: 2 * 3.3e9 active parameters (model card).
PREFILL_OPS = 2 * 3.3e9
_TICKS_PER_S = TICKS_PER_MS * 1000


@dataclass(frozen=True, slots=True)
class Tier:
    """tokens: capacity. bandwidth: bytes a second. source: of the bandwidth."""

    tokens: int
    bandwidth: float
    source: str

    @property
    def read_ns(self) -> float:
        """Read cost, nanoseconds a token."""
        return KV_BYTES / self.bandwidth * 1e9


@dataclass(frozen=True, slots=True)
class Envelope:
    """One pool. prefill_rate: tokens a second. dma_rate: tokens a second between tiers."""

    name: str
    sram: Tier
    hbm: Tier
    prefill_rate: float
    prefill_source: str
    dma_rate: float
    dma_source: str

    @property
    def pool_tokens(self) -> int:
        """Capacity of both tiers, tokens."""
        return self.sram.tokens + self.hbm.tokens

    @property
    def dma_bw_q8(self) -> int:
        """DMA bandwidth, tokens a tick of 1/16 ms, unsigned Q8.8, for the DMA_BW register."""
        raw = round(self.dma_rate / _TICKS_PER_S * (1 << BW_F))
        if not 1 <= raw <= mask(BW_W):
            raise ValueError(f"{self.name}: dma_bw_q8: got {raw}, expected 1..{mask(BW_W)}")
        return raw


@dataclass(frozen=True, slots=True)
class _Platform:
    """(value, source) pairs: bandwidths in bytes/s, prefill in usable operations/s."""

    sram: tuple[float, str]
    hbm: tuple[float, str]
    ops: tuple[float, str]
    dma: tuple[float, str]

    def envelope(self, name: str, sram: int, hbm: int) -> Envelope:
        return Envelope(
            name,
            Tier(sram, *self.sram),
            Tier(hbm, *self.hbm),
            self.ops[0] / PREFILL_OPS,
            self.ops[1],
            self.dma[0] / KV_BYTES,
            self.dma[1],
        )


_ORIN = (204.8e9, "Jetson AGX Orin, LPDDR5, 204.8 GB/s (vendor)")
_H100 = (3.35e12, "H100 SXM, HBM3, 3.35 TB/s (vendor)")
_LPU = (80e12, "Groq LPU, on-chip SRAM, 80 TB/s a chip (vendor)")
_H100_OPS = (0.4 * 989e12, "H100 SXM, 989 TFLOPS dense BF16 (vendor), 40 % used (assumed)")
_TENTH = "a tenth of the slow tier, so that decoding is not disturbed (assumed)"
_HALF = "half of the link, reads of the slow tier take the rest (assumed)"

_EDGE = _Platform(
    (2.048e12, "ten times the slow tier (assumed: no vendor sells an edge part of this kind)"),
    _ORIN,
    (
        0.2 * 137.5e12,
        "Jetson AGX Orin, 275 sparse = 137.5 dense INT8 TOPS (vendor), 20 % used (assumed)",
    ),
    (_ORIN[0] / 10, _TENTH),
)
_CLOUD = _Platform(_LPU, _H100, _H100_OPS, (_H100[0] / 10, _TENTH))
_CXL = _Platform(
    _LPU, (64e9, "CXL on PCIe Gen5 x16, 64 GB/s a direction"), _H100_OPS, (32e9, _HALF)
)
_PCIE = "host memory over PCIe Gen5 x16, 64 GB/s a direction (H100: 128 GB/s both, vendor)"
_GPU = _Platform(_H100, (64e9, _PCIE), _H100_OPS, (32e9, _HALF))
_NODE = _Platform(
    (4 * _H100[0], f"4 x {_H100[1]}"),
    (4 * 64e9, f"4 x {_PCIE}"),
    (4 * _H100_OPS[0], f"4 x {_H100_OPS[1]}"),
    (4 * 32e9, _HALF),
)

ENVELOPES: dict[str, Envelope] = {
    e.name: e
    for e in (
        _EDGE.envelope("edge-tight", 2_000, 8_000),
        _EDGE.envelope("edge", 4_000, 16_000),
        _EDGE.envelope("edge-plus", 6_000, 24_000),
        _CLOUD.envelope("cloud-tight", 8_000, 32_000),
        _CLOUD.envelope("cloud", 12_000, 48_000),
        _CXL.envelope("cxl", 4_000, 56_000),
        _GPU.envelope("gpu-tight", 32_000, 128_000),
        _GPU.envelope("gpu", 96_000, 384_000),
        _NODE.envelope("node", 200_000, 800_000),
    )
}


def envelope(name: str) -> Envelope:
    """Envelope by name; ValueError with the valid ones."""
    if name not in ENVELOPES:
        raise ValueError(f"envelope: got {name!r}, expected one of {', '.join(ENVELOPES)}")
    return ENVELOPES[name]
