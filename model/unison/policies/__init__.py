"""Eviction policies and placements, one small class with one score each."""

from unison.policies.base import (
    DONE,
    ENTER,
    EVICT,
    GAP,
    GAP_CLOSE,
    GAP_OPEN,
    INF,
    READY,
    REQ,
    TICKS_PER_S,
    Placement,
    Policy,
    Setting,
    ready_key,
)
from unison.policies.registry import PLACEMENTS, POLICIES, PolicyError, placing, policy

__all__ = [
    "DONE",
    "ENTER",
    "EVICT",
    "GAP",
    "GAP_CLOSE",
    "GAP_OPEN",
    "INF",
    "PLACEMENTS",
    "POLICIES",
    "READY",
    "REQ",
    "TICKS_PER_S",
    "Placement",
    "Policy",
    "PolicyError",
    "Setting",
    "placing",
    "policy",
    "ready_key",
]
