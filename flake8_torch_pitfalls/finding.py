"""What a rule yields."""
from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from astroid import nodes


@dataclasses.dataclass(frozen=True, slots=True)
class Finding:
    """A fault at *node*: the message is one line, without its code."""

    node: nodes.NodeNG
    message: str
