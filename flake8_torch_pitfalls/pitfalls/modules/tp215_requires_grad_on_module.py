"""`module.requires_grad = False` freezes nothing: it only puts an attribute on the module.

## What happens
Python lets any attribute be set, and torch reads only those it knows. `module.requires_grad = False` leaves each
parameter trainable. `parameter.require_grad = False`, misspelt, leaves the parameter trainable as well.
`parameter.requires_grad_ = False` replaces the method by a value. `optimizer.lr = 0.01` leaves the learning rate in
`optimizer.param_groups`. None of them raises, and the layer that was to be frozen is trained.

## What to write
`module.requires_grad_(False)`, `parameter.requires_grad = False`, and
`for group in optimizer.param_groups: group["lr"] = 0.01`.

## Silent
- `requires_grad` of tensors and parameters.
- Classes of the project that define the attribute, keep it as a setting of their own, or have a `__setattr__`, and
  those of other packages.
- An optimizer's attribute that the file reads itself.

## Known limits
A layer that is reached through an object of unknown class is known as one only in a loop over `children()`,
`modules()` and their like, or behind an `isinstance` test.

## Sources
- `torch.nn.Module.requires_grad_` and `torch.optim.Optimizer` in PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.construction import is_self
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, class_of, constant, dotted, last_name, text_of
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

MISSPELT = ("require_grad", "required_grad", "requires_grads", "require_grads", "requires_gradient", "requres_grad",
            "requies_grad", "reqires_grad", "requiers_grad", "requires_grad_")  # fmt: skip
HYPERPARAMETERS = {
    "lr": "lr", "learning_rate": "lr", "weight_decay": "weight_decay", "momentum": "momentum", "betas": "betas",
}  # fmt: skip
"""Attributes that people set on optimizers, and where torch keeps them in a group."""
MODULES = ("children", "named_children", "modules", "named_modules")
PARAMETERS = ("parameters", "named_parameters")
WORDS = {"requires_grad", *MISSPELT, *HYPERPARAMETERS}


def check(source: Source) -> Iterator[Finding]:
    """Yield the assignments to attributes that torch does not read."""
    for target in source.index.stores.get("requires_grad", ()):
        if _is_module(source, target.expr) and not _is_defined(source, target) and not _is_flag(source, target):
            name = text_of(target.expr)
            yield Finding(
                target,
                f"'{name}.requires_grad = ...' sets an attribute that torch ignores; call '{name}.requires_grad_(...)'",
            )
    for attribute in MISSPELT:
        for target in source.index.stores.get(attribute, ()):
            if not _is_defined(source, target) and (method := _intended(source, target.expr)) is not None:
                name = text_of(target.expr)
                yield Finding(
                    target,
                    f"torch does not read '{name}.{attribute}': nothing is frozen or unfrozen; write '{name}.{method}'",
                )
    for attribute, key in HYPERPARAMETERS.items():
        for target in source.index.stores.get(attribute, ()):
            if _is_optimizer(source, target):
                name = text_of(target.expr)
                instead = f"set 'group[\"{key}\"]' for each group in '{name}.param_groups'"
                yield Finding(target, f"torch does not read '{name}.{attribute}'; {instead}")


# -- whose attribute it is -------------------------------------------------------------------------


def _is_module(source: Source, node: nodes.NodeNG) -> bool:
    if source.kinds.of(node, "module") is True:
        return True
    return source.kinds.is_unknown(node) and (_is_item_of(node, MODULES) or _is_tested_for_module(source, node))


def _intended(source: Source, node: nodes.NodeNG) -> str | None:
    """Return what to write for a misspelt attribute of *node*, None if it is not known to be a tensor or module."""
    if source.kinds.of(node, "tensor") is True or _is_item_of(node, PARAMETERS):
        return "requires_grad = ..."
    return "requires_grad_(...)" if _is_module(source, node) else None


def _is_item_of(node: nodes.NodeNG, methods: tuple[str, ...]) -> bool:
    """Return whether *node* is the variable of a loop over what one of *methods* gives."""
    if not isinstance(node, nodes.Name):
        return False
    for above in ancestors(node):
        if isinstance(above, nodes.For):
            bound = [target.name for target in above.target.nodes_of_class(nodes.AssignName)]
            if node.name in bound:
                calls = above.iter.nodes_of_class(nodes.Call)
                return bound[-1] == node.name and any(last_name(call.func) in methods for call in calls)
    return False


def _is_tested_for_module(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* stands in the branch of a test that it is an object of one of torch's modules."""
    below = node
    for above in ancestors(node):
        if isinstance(above, nodes.If) and below in above.body:
            match above.test:
                case nodes.Call(func=nodes.Name(name="isinstance"), args=[tested, cls]):
                    if dotted(tested) == dotted(node):
                        kinds = cls.elts if isinstance(cls, nodes.Tuple) else [cls]
                        names = [source.names.symbol(kind) or "" for kind in kinds]
                        return all("torch.nn.Module" in torch_model.ancestors(name) for name in names)
        below = above
    return False


def _is_optimizer(source: Source, target: nodes.AssignAttr) -> bool:
    """Return whether *target* is on one of torch's optimizers, and nothing in the file reads it again."""
    text = f"{dotted(target.expr)}.{target.attrname}"
    if any(dotted(read) == text for read in source.index.attributes.get(target.attrname, ())):
        return False
    found = source.names.known(target.expr)
    return bool(found) and all(
        isinstance(value, Instance) and isinstance(value.cls, str) and source.kinds.is_kind(value, "optimizer") is True
        for value in found
    )


# -- who defines it --------------------------------------------------------------------------------


def _is_defined(source: Source, target: nodes.AssignAttr) -> bool:
    """Return whether a class of the object makes something of the attribute, or may do so out of sight."""
    return any(
        isinstance(value, Instance)
        and isinstance(value.cls, nodes.ClassDef)
        and any(_makes_use(base, target.attrname) for base in source.names.mro(value.cls))
        for value in source.names.known(target.expr)
    )


def _makes_use(base: nodes.ClassDef | str | None, attribute: str) -> bool:
    if not isinstance(base, nodes.ClassDef):
        return base is None
    return attribute in base.locals or "__setattr__" in base.locals


def _is_flag(source: Source, target: nodes.AssignAttr) -> bool:
    """Return whether the class of the module keeps ``self.requires_grad`` as a setting of its own."""
    return any(
        isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef) and _keeps_flag(source, value.cls)
        for value in source.names.known(target.expr)
    )


def _keeps_flag(source: Source, cls: nodes.ClassDef) -> bool:
    """Return whether *cls* gives ``self.requires_grad`` what it is given itself, or reads it."""
    own = [store for store in source.names.stores(cls, "requires_grad") if isinstance(store, nodes.AssignAttr)]
    reads = source.names.index_of(cls).attributes.get("requires_grad", ())
    return any(constant(getattr(store.statement(), "value", None)) is ... for store in own) or any(
        class_of(read) is cls and is_self(read.expr) for read in reads
    )
