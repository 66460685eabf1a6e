"""The golden event core and its replay."""

from unison.core.golden import EventCore
from unison.core.state import CoreConfig, Slot

__all__ = ["CoreConfig", "EventCore", "Slot"]
