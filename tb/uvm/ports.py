"""Analysis ports with a function at their end: a component may have several."""

from collections.abc import Callable
from typing import Any

from pyuvm import uvm_analysis_export


class Sink(uvm_analysis_export):
    """Passes each item written to it on to `function`."""

    def __init__(self, name: str, parent, function: Callable[[Any], None]) -> None:
        super().__init__(name, parent)
        self._function = function

    def write(self, tt: Any) -> None:
        """Take one item."""
        self._function(tt)
