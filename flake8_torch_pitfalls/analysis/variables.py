"""Variables and attributes in a run: what they hold by an assignment here, elsewhere, or by what is declared."""
from __future__ import annotations

import dataclasses

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices, scopes
from flake8_torch_pitfalls.analysis.batches import LOADER
from flake8_torch_pitfalls.analysis.bookkeeping import Bookkeeping
from flake8_torch_pitfalls.analysis.facts import Batches, Fact, Group, Placed, Tensor, join
from flake8_torch_pitfalls.analysis.layout import Layout
from flake8_torch_pitfalls.analysis.passes import target_text
from flake8_torch_pitfalls.analysis.tree import argument, constant, function_of, last_name
from flake8_torch_pitfalls.analysis.values import NOTHING, Data, Instance, Values
from flake8_torch_pitfalls.analysis.whereabouts import RETURNS_MODULE, names_device

CONTAINERS = (nodes.List, nodes.Tuple, nodes.Dict, nodes.ListComp, nodes.DictComp)


class Variables(Bookkeeping):
    """Answers what a variable or attribute holds."""

    def parameters(self) -> dict[str, Fact | None]:
        """Return what is known of the parameters: of those that get other values later, even if it is nothing."""
        known: dict[str, Fact | None] = dict(self.given)
        for name, found in getattr(self.scope, "locals", {}).items():
            if len(found) > 1 and isinstance(found[0].parent, nodes.Arguments) and name not in known:
                known[name] = self._annotated(found[0])
        return known

    def _annotated(self, parameter: nodes.AssignName) -> Fact | None:
        declared = self.names.annotated(scopes.annotation(self.scope, parameter.name))
        if any(self.names.is_a(value, "torch.Tensor") for value in declared):
            return Tensor(storage=frozenset({parameter}), layout=self.assumed(parameter))
        return None

    def assume_of_batch(self, target: nodes.NodeNG) -> None:
        """Take the tensors that a loop over a loader gives for contiguous, each with a storage of its own."""
        for name in target.nodes_of_class(nodes.AssignName):
            fact = self.state.variables.get(name.name)
            if isinstance(fact, Tensor) and not fact.storage and fact.device is not None:
                self.state.variables[name.name] = dataclasses.replace(
                    fact, storage=frozenset({name}), layout=self.assumed(name)
                )

    def variable(self, node: nodes.NodeNG) -> Fact | None:
        """Return what the variable *node* holds."""
        text = target_text(node)
        if text is not None and text in self.state.variables:
            return self.state.variables[text]
        if isinstance(node, (nodes.AssignName, nodes.AssignAttr)):
            return self.from_values(node) if isinstance(node, nodes.AssignAttr) else None
        if isinstance(node, nodes.Name) and _is_of_the_text(node):
            return None
        fact = self.from_values(node)
        if fact is None and isinstance(node, nodes.Name):
            fact = self._from_module_level(node)
        if self.follows_shapes and isinstance(fact, Tensor) and fact.layout is None:
            if (assumed := self.from_outside(node)) is not None:
                return dataclasses.replace(fact, layout=assumed.layout)
        return fact

    def _from_module_level(self, node: nodes.Name) -> Fact | None:
        """Return what a global variable holds, a module or a loader."""
        found = scopes.definitions(node, node.name)
        if not found or function_of(node) is node.root() or not all(
            isinstance(one, nodes.AssignName) and one.scope() is node.root() for one in found
        ):
            return None
        fact = self.tensors.outer(node.root(), node.name)
        return fact if isinstance(fact, (Placed, Batches)) else None

    def from_values(self, node: nodes.NodeNG) -> Fact | None:
        """Return what names and annotations say of a variable that this scope did not assign."""
        if isinstance(node, (nodes.Attribute, nodes.AssignAttr)):
            if (held := self._set_elsewhere(node)) is not None:
                return held
            if isinstance(node, nodes.AssignAttr):
                return None
        values = [value for value in self._declared(node) if value != NOTHING]
        if any(self.names.is_a(value, "torch.Tensor") is False for value in values):
            return None
        for value in values:
            if self.names.is_a(value, "torch.nn.Parameter"):
                made = getattr(value, "made_at", None)
                return parameter(made or node, made, self.base(self.origin(node) or node))
            if self.names.is_a(value, "torch.Tensor"):
                return self.own_tensor(node) or Tensor()
        return None

    def _declared(self, node: nodes.NodeNG) -> Values:
        """Return what *node* stands for; of a parameter only what is declared, for callers hand over facts."""
        if isinstance(node, nodes.Name):
            found = scopes.definitions(node, node.name)
            if len(found) == 1 and isinstance(arguments := found[0].parent, nodes.Arguments):
                return self.names.annotated(scopes.annotation(arguments.parent, node.name))
        return self.names.values(node)

    def own_tensor(self, node: nodes.NodeNG) -> Tensor | None:
        """Take the variable *node*, of which nothing is known, for a tensor that nothing else holds."""
        if not isinstance(node, nodes.Name):
            return None
        definitions = scopes.definitions(node, node.name)
        if len(definitions) != 1 or not isinstance(definitions[0], nodes.AssignName):
            return None
        outside = self.from_outside(node)
        made = Tensor(storage=frozenset({definitions[0]}), layout=outside.layout if outside is not None else None)
        self.state.variables[node.name] = made
        return made

    def part_of_module(self, node: nodes.Attribute, whole: Placed) -> Fact | None:
        """Return what is known of ``self.layer`` and ``self.weight`` where ``self`` is a module on a device."""
        for value in self.names.values(node):
            if self.names.is_a(value, "torch.nn.Module"):
                return whole
            if self.names.is_a(value, "torch.nn.Parameter"):
                return devices.placed(self.from_values(node), whole.device)
        return devices.nowhere(self.from_values(node))

    def _set_elsewhere(self, node: nodes.NodeNG) -> Fact | None:
        """Return what other methods put into an attribute of ``self``."""
        if not isinstance(node.expr, nodes.Name):
            return None
        kept = [
            fact
            for value in self.names.values(node.expr)
            if isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef)
            for store in self.names.stores(value.cls, node.attrname)
            if isinstance(store, nodes.AssignAttr) and isinstance(store.parent, nodes.Assign)
            if function_of(store) is not self.scope and (fact := self._put_there(store.parent.value)) is not None
        ]
        found = kept[0] if kept else None
        for fact in kept[1:]:
            found = join(found, fact)
        if isinstance(found, Placed):
            return self.moved_elsewhere(node) or (None if found.device == devices.CPU else found)
        return devices.nowhere(found) if self.is_of_module(node) else found

    def _put_there(self, value: nodes.NodeNG) -> Fact | None:
        """Return what *value*, in another function, is: most are told without a pass through that function."""
        values = self.names.values(value)
        is_call = isinstance(value, nodes.Call)
        moves = is_call and last_name(value.func) in devices.MOVES | RETURNS_MODULE
        if is_call and not moves and not names_device(value):
            if all(self.names.is_a(one, "torch.nn.Module") for one in values):
                return Placed(devices.CPU)
        if moves or isinstance(value, CONTAINERS) or self.follows_shapes and isinstance(value, nodes.BinOp):
            return self.tensors.at(value)
        if any(self.names.is_a(one, "torch.Tensor", "torch.nn.Module", LOADER) for one in values):
            return self.tensors.at(value)
        return Group() if any(isinstance(one, Data) and isinstance(one.node, CONTAINERS) for one in values) else None


def _is_of_the_text(node: nodes.Name) -> bool:
    """Return whether *node* is the object of a method, or something imported or defined: no tensor."""
    if node.name == "self":
        return True
    found = scopes.definitions(node, node.name)
    return bool(found) and isinstance(found[0], (nodes.Import, nodes.ImportFrom, nodes.FunctionDef, nodes.ClassDef))


def parameter(node: nodes.NodeNG, made: nodes.NodeNG | None, known: Layout | None) -> Tensor:
    """Return the fact of a parameter that *node* stands for, *made* by a call if that is in view."""
    given = argument(made, 1, "requires_grad") if isinstance(made, nodes.Call) else None
    tracked = True if given is None else constant(given)
    graph = tracked if isinstance(tracked, bool) else None
    return Tensor(graph=graph, leaf=graph is True, storage=frozenset({node}), layout=known)
