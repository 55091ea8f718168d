"""What code is there for: whether it expects to fail, tries something out, or only measures."""
from __future__ import annotations

from astroid import nodes

from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, ancestors, last_name

EXPECTS_FAILURE = ("raises", "assertRaises", "assertRaisesRegex", "suppress", "warns", "assertWarns")


def expects_failure(node: nodes.NodeNG) -> bool:
    """Return whether *node* stands in a ``with`` block, or an argument, of something that expects it to fail."""
    for above in ancestors(node):
        if isinstance(above, nodes.With) and any(_is_expectation(context) for context, _ in above.items):
            return True
        if isinstance(above, nodes.Call) and _is_expectation(above):
            return True
        if isinstance(above, (nodes.ClassDef, *FUNCTIONS)) and not isinstance(above, nodes.Lambda):
            return False
    return False


def _is_expectation(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.Call) and last_name(node.func) in EXPECTS_FAILURE
