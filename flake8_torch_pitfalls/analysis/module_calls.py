"""Calls of modules in a run: the project's by their forward, torch's by the op or the stub behind them."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import layout, operations
from flake8_torch_pitfalls.analysis.bookkeeping import as_operands
from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.facts import Fact, Group, Placed, Tensor
from flake8_torch_pitfalls.analysis.layout import Layout
from flake8_torch_pitfalls.analysis.operations import Operand
from flake8_torch_pitfalls.analysis.project_calls import ProjectCalls
from flake8_torch_pitfalls.analysis.tree import argument, constant, function_of, is_open, last_name
from flake8_torch_pitfalls.analysis.values import Function, Instance


class ModuleCalls(ProjectCalls):
    """Evaluates calls of modules."""

    def module(
        self,
        module: Instance,
        call: nodes.Call,
        arguments: Sequence[Fact | None],
        keywords: dict[str, Fact | None],
        placed: Placed | None = None,
    ) -> Fact | None:
        """Return what *call* of *module* gives, which is where *placed* says."""
        operands = [*as_operands(call.args, arguments)]
        operands += [Operand(key, fact if isinstance(fact, Tensor) else None) for key, fact in keywords.items()]
        if isinstance(module.cls, nodes.ClassDef):
            forward = self.names.method(module.cls, "forward")
            if forward is not None:
                receiver = None if self.tensors.moves_itself(module.cls, "__init__") else placed
                return self.project_function(Function(forward, module), call, arguments, keywords, receiver)
            bases = [base for base in self.names.mro(module.cls) if isinstance(base, str)]
            if "torch.nn.Sequential" in bases:
                self.check_inputs(module, call, arguments, placed)
                return self._sequential(module, operands, call)
            if any(_measures(base) for base in bases):
                return Tensor(storage=frozenset({call}))
            return Tensor(graph=self.recorded(call, True), storage=frozenset({call}))
        self.check_inputs(module, call, [*arguments, *keywords.values()], placed)
        if module.cls == "torch.nn.Sequential":
            return self._sequential(module, operands, call)
        return self._modelled_module(module, self._adopted(call, operands), call)

    def _adopted(self, call: nodes.Call, operands: list[Operand]) -> list[Operand]:
        """Return *operands*, the first one known as a tensor of its own: a layer takes nothing else."""
        if not operands or operands[0].fact is not None or not call.args:
            return operands
        fact = self.own_tensor(call.args[0])
        return operands if fact is None else [dataclasses.replace(operands[0], fact=fact), *operands[1:]]

    def _sequential(self, module: Instance, operands: list[Operand], call: nodes.Call) -> Fact | None:
        members = self._members(module)
        if members is None:
            return Tensor(graph=self.recorded(call, True), storage=frozenset({call}))
        operands = self._adopted(call, operands)
        fact: Fact | None = operands[0].fact if operands else None
        for number, member in enumerate(members):
            values = self.names.values(member)
            value = values[0] if len(values) == 1 else None
            place = call if number == len(members) - 1 else member
            if not isinstance(value, Instance):
                fact = Tensor(graph=self.recorded(call, True), storage=frozenset({place}))
                continue
            inner = [Operand("self", fact if isinstance(fact, Tensor) else Tensor())]
            if isinstance(value.cls, str) and value.cls != "torch.nn.Sequential":
                fact = self._modelled_module(value, inner, place, at=call)
            else:
                fact = self.module(value, call, [inner[0].fact], {})
        return fact

    def _members(self, module: Instance) -> list[nodes.NodeNG] | None:
        """Return the arguments of ``nn.Sequential(...)``, None where the text does not list them."""
        made = module.made_at
        if not isinstance(made, nodes.Call):
            return None
        if isinstance(module.cls, nodes.ClassDef):
            made = self._super_init(module.cls)
        if made is None or not made.args or made.keywords:
            return None
        if any(isinstance(argument, (nodes.Starred, nodes.Dict)) for argument in made.args):
            return None
        if len(made.args) == 1 and not any(
            self.names.is_a(value, "torch.nn.Module") for value in self.names.values(made.args[0])
        ):
            return None  # an OrderedDict
        return list(made.args)

    def _super_init(self, owner: nodes.ClassDef) -> nodes.Call | None:
        """Return the call of ``super().__init__(…)`` of a subclass of Sequential."""
        for call in self.names.index_of(owner).calls.get("__init__", ()):
            if function_of(call).parent is owner and isinstance(call.func, nodes.Attribute):
                if isinstance(call.func.expr, nodes.Call) and last_name(call.func.expr.func) == "super":
                    return call
        return None

    def _modelled_module(
        self, module: Instance, operands: list[Operand], node: nodes.NodeNG, at: nodes.NodeNG | None = None
    ) -> Fact | None:
        cls = str(module.cls)
        if _measures(cls):
            return Tensor(storage=frozenset({node}))
        name = operations.op_of_module(cls)
        if name is not None:
            if operations.has_parameters(cls):
                operands = [*operands[:1], Operand("weight", Tensor(graph=True, leaf=True)), *operands[1:]]
            result = self.operate(name + "_" * works_in_place(module), operands, node, at=at)
            return self._as_made(module, name, operands, result) if self.follows_shapes else result
        item = Tensor(graph=self.recorded(at or node, True), storage=frozenset({node}))
        types = torch_model.returned(torch_model.member(cls, "forward") or "")
        if types and types[0].name == "tuple":
            if cls == "torch.nn.MultiheadAttention" and operands and (query := operands[0].fact) is not None:
                attended = layout.attended(query.layout, module.made_at)
                return Group((dataclasses.replace(item, layout=attended), item))
            output, state = _recurrent_layouts(module, operands, node)
            held: Fact = dataclasses.replace(item, layout=state)
            if cls.endswith("LSTM"):
                held = Group((held, held))
            return Group((dataclasses.replace(item, layout=output), *(held for _ in types[0].args[1:])))
        if cls.endswith("Loss"):
            return dataclasses.replace(item, graph=self.graph_of(operands, at or node))
        if cls.startswith("torch.nn.Transformer") and operands and (first := operands[0].fact) is not None:
            return dataclasses.replace(item, layout=layout.attended(first.layout, module.made_at))
        return item

    def _as_made(self, module: Instance, name: str, operands: list[Operand], result: Fact | None) -> Fact | None:
        """Return *result* of a layer, which is the op *name*, with the sizes that the layer was made for."""
        if not isinstance(result, Tensor) or not isinstance(module.made_at, nodes.Call) or is_open(module.made_at):
            return result
        first = operands[0].fact if operands else None
        known = result.layout
        if name == "flatten" and first is not None and first.layout is not None:
            start = self._setting(module.made_at, 0, "start_dim", 1)
            end = self._setting(module.made_at, 1, "end_dim", -1)
            if start is not None and end is not None:
                known = layout.flattened(first.layout, start, end)
        elif name in layout.WIDTH_OF_LAYER and known is not None:
            width = self._setting(module.made_at, *layout.WIDTH_OF_LAYER[name], None)
            known = known if width is None else layout.of_layer(known, name, width)
        return dataclasses.replace(result, layout=known)

    def _setting(self, made: nodes.Call, index: int, name: str, default: int | None) -> int | None:
        """Return the integer that a layer was made with, *default* if none was given, None if it is not known."""
        if (given := argument(made, index, name)) is None:
            return default
        found = constants(self.names, given) or set()
        [number] = found if len(found) == 1 else [None]
        return number if type(number) is int else None


def _recurrent_layouts(
    module: Instance, operands: list[Operand], node: nodes.NodeNG
) -> tuple[Layout | None, Layout | None]:
    """Return the layouts of output and state of a recurrent layer for a tensor, no packed sequence."""
    first = operands[0].fact if operands else None
    if first is None or not isinstance(module.made_at, nodes.Call):
        return None, None
    if str(module.cls).rpartition(".")[2] not in layout.RECURRENT:
        return None, None
    return layout.recurrent(first.layout, module.made_at, node)


def works_in_place(module: Instance) -> bool:
    """Return whether *module*, one of torch's, was made with ``inplace=True``."""
    if not isinstance(module.made_at, nodes.Call):
        return False
    for number, parameter in enumerate(torch_model.parameters(str(module.cls))):
        if parameter.name == "inplace":
            return constant(argument(module.made_at, number, "inplace")) is True
    return False


def _measures(cls: str) -> bool:
    """Return whether the class is a metric, whose results are numbers to look at."""
    return cls.startswith(("torchmetrics.", "ignite.metrics."))
