"""Expressions in a run: what each is in the current state, and what is bound to targets."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import layout, operations, scopes, sizes
from flake8_torch_pitfalls.analysis.call_results import CallResults
from flake8_torch_pitfalls.analysis.facts import (
    Batches,
    Fact,
    Group,
    Placed,
    Tensor,
    either,
    element_of,
    item_of,
    merged,
)
from flake8_torch_pitfalls.analysis.operations import Operand
from flake8_torch_pitfalls.analysis.passes import target_text
from flake8_torch_pitfalls.analysis.shapes import measured
from flake8_torch_pitfalls.analysis.sizes import Size
from flake8_torch_pitfalls.analysis.tree import constant, dotted


class Expressions(CallResults):
    """Evaluates expressions."""

    def known(self, node: nodes.NodeNG) -> Fact | None:
        """Return the fact of *node*, which is evaluated only if it never was."""
        return self.facts.get(node) if node in self.facts else self.fact(node)

    def fact(self, node: nodes.NodeNG | None) -> Fact | None:
        """Evaluate *node* in the current state."""
        if node is None:
            return None
        self.clashes.pop(node, None)
        found = self._evaluate(node)
        self.latest[node] = found
        self.facts[node] = merged(self.facts[node], found) if node in self.facts else found
        return found

    def _evaluate(self, node: nodes.NodeNG) -> Fact | None:
        match node:
            case nodes.Name():
                return self.variable(node)
            case nodes.Const(value=int() as value) if not isinstance(value, bool):
                return sizes.number(value)
            case nodes.Attribute():
                return self._attribute(node)
            case nodes.Call():
                return self.call(node)
            case nodes.BinOp():
                return self._binary(node)
            case nodes.UnaryOp():
                operand = self.fact(node.operand)
                if isinstance(operand, Size) and node.op == "-":
                    return Size(-operand.value, operand.unknowns)
                if isinstance(operand, Tensor) and node.op in ("-", "~"):
                    return self.operate("neg" if node.op == "-" else "bitwise_not", [Operand("self", operand)], node)
                return None
            case nodes.Compare():
                facts = [self.fact(node.left), *(self.fact(right) for _, right in node.ops)]
                if any(isinstance(fact, Tensor) for fact in facts) and node.ops[0][0] not in ("is", "is not", "in"):
                    places = [node.left, *(right for _, right in node.ops)]
                    operands = [Operand("", f if isinstance(f, Tensor) else None, at) for f, at in zip(facts, places)]
                    self.check_devices("eq", operands, node)
                    where = {operand.fact.device for operand in operands if operand.fact is not None}
                    return Tensor(
                        graph=False,
                        storage=frozenset({node}),
                        device=where.pop() if len(where) == 1 else None,
                        layout=layout.after("eq", operands, node, self),
                    )
                return None
            case nodes.Subscript():
                return self._subscript(node)
            case nodes.IfExp():
                self.fact(node.test)
                outcome = self.decided(node.test)
                if outcome is not None:
                    return self.fact(node.body if outcome else node.orelse)
                return merged(self.fact(node.body), self.fact(node.orelse))
            case nodes.BoolOp():
                facts = [self.fact(value) for value in node.values]
                return facts[-1] if len(set(facts)) == 1 else None
            case nodes.NamedExpr():
                fact = self.fact(node.value)
                self.bind(node.target, fact)
                return fact
            case nodes.Await() | nodes.Starred():
                return self.fact(node.value)
            case nodes.Tuple() | nodes.List() | nodes.Set():
                facts = [self.fact(element) for element in node.elts]
                if any(isinstance(element, nodes.Starred) for element in node.elts):
                    item = None
                    for element, fact in zip(node.elts, facts):
                        item = either(item, element_of(fact) if isinstance(element, nodes.Starred) else fact)
                    return Group(None, item)
                return Group(tuple(facts))
            case nodes.Dict():
                item = None
                for _, value in node.items:
                    item = either(item, self.fact(value))
                return Group(None, item)
            case nodes.ListComp() | nodes.SetComp() | nodes.GeneratorExp():
                self._comprehend(node.generators)
                return Group(None, self.fact(node.elt))
            case nodes.DictComp():
                self._comprehend(node.generators)
                return Group(None, self.fact(node.value))
            case nodes.JoinedStr() | nodes.FormattedValue() | nodes.Slice():
                for child in node.get_children():
                    self.fact(child)
                return None
        return None

    def _attribute(self, node: nodes.Attribute) -> Fact | None:
        text = dotted(node)
        if text is not None and text in self.state.variables:
            return self.state.variables[text]
        base = self.fact(node.expr)
        if node.attrname == "shape":
            return self.shape(node.expr)
        if base is None and node.attrname in ("T", "mT"):
            base = self.from_outside(node.expr)
        if isinstance(base, Tensor):
            match node.attrname:
                case "data":
                    return dataclasses.replace(base, graph=False, leaf=False)
                case "grad":
                    return Tensor(graph=False, storage=frozenset({node}), device=base.device, layout=base.layout)
                case "T" | "mT" | "H" | "mH" | "real" | "imag":
                    return self.operate(node.attrname, [Operand("self", base)], node)
                case "loss" | "logits" | "last_hidden_state":  # a module's output that was taken for one tensor
                    return Tensor(graph=base.graph, storage=frozenset({node}))
            return None
        if isinstance(base, Placed):
            return self.part_of_module(node, base)
        if isinstance(base, Group):
            if node.attrname in ("values", "indices") and base.items is not None and len(base.items) == 2:
                return base.items[node.attrname == "indices"]
            return base.any() if node.attrname in ("logits", "values", "indices", "loss", "mean", "probs") else None
        return self.from_values(node)

    def _subscript(self, node: nodes.Subscript) -> Fact | None:
        text = dotted(node)
        if text is not None and text in self.state.variables:
            return self.state.variables[text]
        base = self.fact(node.value)
        key = self.fact(node.slice)
        if base is None and isinstance(node.slice, nodes.Tuple):
            base = self.from_outside(node.value)
        if (tensor := measured(node.value)) is not None and isinstance(number := constant(node.slice), int):
            return self.size_of(tensor, number)
        if isinstance(base, (Placed, Batches)):
            return base if isinstance(base, Placed) else None
        if isinstance(base, Tensor):
            name = "index" if isinstance(key, Tensor) or isinstance(node.slice, nodes.List) else "select"
            return self.operate(name, [Operand("self", base)], node)
        if isinstance(base, Group):
            number = constant(node.slice)
            if isinstance(node.slice, nodes.Slice):
                return _part(base, node.slice)
            return item_of(base, number) if isinstance(number, int) else element_of(base)
        return self.from_values(node) if base is None else None

    def _binary(self, node: nodes.BinOp) -> Fact | None:
        left, right = self.fact(node.left), self.fact(node.right)
        if isinstance(left, Size) or isinstance(right, Size):
            if (size := self.calculated(node, left, right)) is not None:
                return size
            left, right = _no_size(left), _no_size(right)
        if isinstance(left, Group) or isinstance(right, Group):
            if isinstance(left, Group) and isinstance(right, Group) and node.op == "+":
                if left.items is not None and right.items is not None:
                    return Group(left.items + right.items)
            item = either(
                left.any() if isinstance(left, Group) else None, right.any() if isinstance(right, Group) else None
            )
            return Group(None, item) if not isinstance(left, Tensor) and not isinstance(right, Tensor) else None
        if not isinstance(left, Tensor) and not isinstance(right, Tensor):
            return None
        operands = [
            Operand("self", left if isinstance(left, Tensor) else None, node.left),
            Operand("other", right if isinstance(right, Tensor) else None, node.right),
        ]
        return self.operate(operations.OPERATORS.get(node.op, "add"), operands, node)

    def _comprehend(self, generators: Iterable[nodes.Comprehension]) -> None:
        for generator in generators:
            self.bind(generator.target, element_of(self.fact(generator.iter)))
            for condition in generator.ifs:
                self.fact(condition)

    def bind(self, target: nodes.NodeNG, fact: Fact | None) -> None:
        """Let *target* of an assignment or loop hold *fact*."""
        match target:
            case nodes.AssignName(name=name):
                self.state.renew(target)
                if isinstance(fact, Tensor) and not fact.storage:
                    fact = dataclasses.replace(fact, storage=frozenset({target}))
                self.state.variables[name] = fact
            case nodes.AssignAttr():
                text = target_text(target)
                if text is not None:
                    self.state.variables[text] = fact
                if target.attrname == "data":
                    self.fact(target.expr)
                if target.attrname == "requires_grad" and isinstance(owner := self.fact(target.expr), Tensor):
                    self.track(target.expr, owner, constant(getattr(target.parent, "value", None)))
            case nodes.Tuple() | nodes.List():
                for number, element in enumerate(target.elts):
                    self.bind(element, item_of(fact, number))
            case nodes.Starred():
                self.bind(target.value, Group(None, element_of(fact)))
            case nodes.Subscript():
                base = self.fact(target.value)
                if isinstance(base, Tensor):
                    operands = [Operand("self", base)]
                    if isinstance(fact, Tensor):
                        operands.append(Operand("src", fact))
                    changed = self.operate("copy_", operands, target.parent)
                    self.rebind(target.value, changed)
                elif (text := dotted(target.value)) is not None:
                    held = base.any() if isinstance(base, Group) else None
                    self.state.variables[text] = Group(None, either(held, fact))

    def decided(self, test: nodes.NodeNG) -> bool | None:
        """Return how a test of a value's type comes out where the value is a tensor, else None."""
        match test:
            case nodes.UnaryOp(op="not"):
                inner = self.decided(test.operand)
                return None if inner is None else not inner
            case nodes.Call(args=[nodes.Name() as tested, *rest]) if isinstance(
                self.state.variables.get(tested.name), Tensor
            ):
                symbol = self.names.symbol(test.func)
                if symbol == "torch.is_tensor":
                    return True
                if symbol == "hasattr" and rest:
                    return True if torch_model.member("torch.Tensor", str(constant(rest[0]))) else None
                if symbol == "isinstance" and rest:
                    return self._is_tensor_class(rest[0])
        return None

    def _is_tensor_class(self, node: nodes.NodeNG) -> bool | None:
        classes = node.elts if isinstance(node, nodes.Tuple) else [node]
        symbols = [self.names.symbol(cls) for cls in classes]
        if "torch.Tensor" in symbols:
            return True
        return False if all(symbol in scopes.BUILTINS for symbol in symbols) else None


def _part(group: Group, key: nodes.Slice) -> Group:
    """Return the items of *group* that a slice takes."""
    bounds = [None if bound is None else constant(bound) for bound in (key.lower, key.upper, key.step)]
    if group.items is None or not all(bound is None or isinstance(bound, int) for bound in bounds):
        return Group(None, group.any())
    return Group(group.items[slice(*bounds)])  # type: ignore[arg-type]


def _no_size(fact: Fact | None) -> Fact | None:
    return None if isinstance(fact, Size) else fact
