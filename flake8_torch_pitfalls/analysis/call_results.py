"""What calls give in a run: methods of tensors and containers, torch's functions, and all else that names tell."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import devices, layout, operations, sizes
from flake8_torch_pitfalls.analysis.bookkeeping import as_operands
from flake8_torch_pitfalls.analysis.facts import Batches, Fact, Group, Placed, Tensor, either, element_of, merged
from flake8_torch_pitfalls.analysis.module_calls import ModuleCalls
from flake8_torch_pitfalls.analysis.operations import Operand
from flake8_torch_pitfalls.analysis.passes import Saved
from flake8_torch_pitfalls.analysis.sizes import Size
from flake8_torch_pitfalls.analysis.symbols import SAME_OBJECT, SEQUENCES
from flake8_torch_pitfalls.analysis.tree import argument, constant, dotted, last_name
from flake8_torch_pitfalls.analysis.values import Class, Function, Instance, Method, Symbol, Value
from flake8_torch_pitfalls.analysis.variables import parameter

TENSOR_METHODS = frozenset(
    "transpose permute t movedim moveaxis swapaxes swapdims mT expand expand_as unsqueeze contiguous view size topk "
    "narrow chunk unbind unfold masked_fill bmm detach softmax argmax clone eq flatten reshape view_as float half "
    "squeeze".split()
)


class CallResults(ModuleCalls):
    """Evaluates calls."""

    def call(self, call: nodes.Call) -> Fact | None:
        """Return what *call* gives."""
        receiver = self.fact(call.func.expr) if isinstance(call.func, nodes.Attribute) else None
        arguments = [self.fact(argument) for argument in call.args]
        keywords = {keyword.arg: self.fact(keyword.value) for keyword in call.keywords or () if keyword.arg}
        name = last_name(call.func)
        if isinstance(out := keywords.get("out"), Tensor):
            self.overwrite(out, call)
        if name in ("backward", "manual_backward"):
            if not any(k.arg == "retain_graph" for k in call.keywords or ()):
                self.state.saved.clear()
            self._started(call)
            return None
        if isinstance(receiver, Tensor) and isinstance(call.func, nodes.Attribute):
            return self._method(call, call.func.attrname, receiver, arguments, keywords)
        unknown = receiver is None or isinstance(receiver, Size)
        if unknown and isinstance(call.func, nodes.Attribute) and self._may_be_of_tensor(call):
            if (assumed := self.from_outside(call.func.expr)) is not None:
                return self._method(call, call.func.attrname, assumed, arguments, keywords)
            if name == "size":
                return self.measure(call)
        if isinstance(receiver, Group) and isinstance(call.func, nodes.Attribute):
            return self._group_method(call, call.func, receiver, arguments)
        if isinstance(call.func, nodes.Attribute) and (placed := self.module_method(call, call.func, receiver)):
            return placed
        if isinstance(call.func, nodes.Attribute) and name in ("append", "extend", "insert") and receiver is None:
            text = dotted(call.func.expr)
            if text in self.state.variables and arguments:
                self.state.variables[text] = Group(None, arguments[-1])
            return None
        values = self.names.values(call.func)
        before = self.state.saved
        fact: Fact | None = None
        outcomes = []
        for number, value in enumerate(values):
            self.state.saved = dict(before) if len(values) > 1 else before
            result = self._called(value, call, arguments, keywords)
            outcomes.append(self.state.saved)
            fact = merged(fact, result) if number else result
        self.state.saved = _saved_by_all(outcomes)
        return fact

    def _may_be_of_tensor(self, call: nodes.Call) -> bool:
        """Return whether *call* of a method shows that it is a tensor's."""
        if last_name(call.func) in TENSOR_METHODS:
            return True
        formats = self.follows_shapes and argument(call, None, "memory_format") is not None
        return formats and self.kinds.of(call.func.expr, "module") is not True

    def _called(
        self, value: Value, call: nodes.Call, arguments: Sequence[Fact | None], keywords: dict[str, Fact | None]
    ) -> Fact | None:
        """Return what *call* gives where it calls *value*."""
        match value:
            case Symbol(symbol):
                return self._function(call, symbol, arguments, keywords)
            case Method():
                return self.from_model(call)
            case Function():
                return self.project_function(value, call, arguments, keywords, self.owner(value, call.func))
            case Instance() if self.names.is_a(value, "torch.nn.Module"):
                placed = self.held_module(call.func)
                if placed is not None and placed.made is not None and value.cls == "torch.nn.Module":
                    value = placed.made
                if placed is not None and placed.device == devices.CPU and not self.stays_on_cpu(value):
                    placed = None
                result = self.module(value, call, arguments, keywords, placed)
                if placed is not None and placed.device is not None and not self.has_own_moves(value):
                    return devices.placed(result, placed.device)
                return result
            case Class():
                return self.new_module(value, call)
        return self._unknown_call(call)

    def _unknown_call(self, call: nodes.Call) -> Fact | None:
        if self.kinds.of(call.func, "module"):
            return Tensor(graph=self.recorded(call, True), storage=frozenset({call}))
        return None

    def _started(self, call: nodes.Call) -> None:
        """Conclude that the tensor from which *call* goes backward carries a graph."""
        start = call.func.expr if isinstance(call.func, nodes.Attribute) else None
        first = call.args[0] if call.args else None
        if isinstance(start, nodes.Call) and last_name(start.func) == "scale" and start.args:
            start = start.args[0]
        elif "loss" in (last_name(first) or "").lower():
            start = first
        if isinstance(start, nodes.Name):
            known = self.state.variables.get(start.name)
            if known is None:
                self.state.variables[start.name] = Tensor(graph=True)
            elif isinstance(known, Tensor) and known.graph is None:
                self.state.variables[start.name] = dataclasses.replace(known, graph=True)

    def _method(
        self,
        call: nodes.Call,
        name: str,
        receiver: Tensor,
        arguments: Sequence[Fact | None],
        keywords: dict[str, Fact | None],
    ) -> Fact | None:
        if name == "size":
            return self.measure(call)
        if name in ("item", "tolist", "numpy", "dim", "numel", "stride", "is_contiguous", "data_ptr"):
            return None
        if name == "requires_grad_":
            return self.track(call.func.expr, receiver, constant(call.args[0]) if call.args else True)
        operands = [Operand("self", receiver), *as_operands(call.args, arguments)]
        operands += [Operand(key, fact if isinstance(fact, Tensor) else None) for key, fact in keywords.items()]
        result = self.operate(name, operands, call)
        if name.endswith("_") and isinstance(result, Tensor):
            self.rebind(call.func.expr, result)
        return result

    def _group_method(
        self, call: nodes.Call, func: nodes.Attribute, receiver: Group, arguments: Sequence[Fact | None]
    ) -> Fact | None:
        match func.attrname:
            case "append" | "add" | "appendleft" if arguments:
                self.rebind(func.expr, Group(None, either(receiver.any(), arguments[0])))
            case "extend" if arguments:
                self.rebind(func.expr, Group(None, either(receiver.any(), element_of(arguments[0]))))
            case "clear":
                self.rebind(func.expr, Group())
            case "items":
                return Group(None, Group((None, receiver.any())))
            case "values" | "copy":
                return Group(None, receiver.any())
            case "pop" | "get":
                return element_of(receiver)
            case "log_prob" | "rsample" | "entropy" | "cdf" | "icdf":
                return _fresh(receiver.any(), call)
            case "sample" | "sample_n":
                return Tensor(graph=False, storage=frozenset({call}))
        return None

    def _function(
        self, call: nodes.Call, symbol: str, arguments: Sequence[Fact | None], keywords: dict[str, Fact | None]
    ) -> Fact | None:
        if symbol in ("sum", "max", "min") and arguments:
            item = element_of(arguments[0])
            return self.operate("add", [Operand("self", item)], call) if isinstance(item, Tensor) else None
        if symbol in ("list", "tuple", "reversed", "sorted", "iter", "set") and arguments:
            return Group(None, element_of(arguments[0]))
        if symbol == "zip":
            return Group(None, Group(tuple(element_of(fact) for fact in arguments)))
        if symbol == "enumerate" and arguments:
            return Group(None, Group((sizes.unknown(call), element_of(arguments[0]))))
        if symbol == "next" and arguments:
            return element_of(arguments[0])
        if symbol in ("copy.copy", "copy.deepcopy") and arguments:
            return arguments[0]
        if symbol in SAME_OBJECT and arguments and isinstance(arguments[0], Placed):
            return arguments[0]
        if symbol in SEQUENCES and arguments and isinstance(arguments[0], (Batches, Group)):
            return Group(None, element_of(arguments[0]))
        if symbol == "len" and call.args:
            return self.size_of(call.args[0], 0)
        if symbol == "int" and arguments and isinstance(arguments[0], Size):
            return arguments[0]
        if symbol == "range":
            return Group(None, sizes.unknown(call))
        if symbol in ("float", "int", "bool"):
            return None
        if not torch_model.modelled(symbol):
            return None
        if arguments and arguments[0] is None and (assumed := self.from_outside(call.args[0])) is not None:
            arguments = [assumed, *arguments[1:]]
        first = arguments[0] if arguments else None
        if torch_model.kind(symbol) == "class":
            if symbol.startswith("torch.distributions."):
                return Group(None, self._of_distribution(call, [*arguments, *keywords.values()]))
            if symbol == "torch.nn.Parameter":
                return parameter(call, call, first.layout if isinstance(first, Tensor) else None)
            return self.new_object(call, symbol, arguments)
        if operations.is_factory(symbol):
            return operations.made(symbol, call, self)
        operands = []
        if isinstance(first, Group):  # torch.cat([a, b]), torch.stack(losses)
            members = first.items if first.items is not None else (first.item,)
            operands = [Operand("tensors", member) for member in members if isinstance(member, Tensor)]
        operands += as_operands(call.args, arguments)
        operands += [Operand(key, fact if isinstance(fact, Tensor) else None) for key, fact in keywords.items()]
        if not any(operand.fact is not None for operand in operands):
            result = self.from_model(call)
            if isinstance(result, Tensor):
                result = dataclasses.replace(result, layout=layout.after(symbol, operands, call, self))
        else:
            result = self.operate(symbol, operands, call)
        if isinstance(result, Tensor) and constant(argument(call, None, "requires_grad")) is True:
            return dataclasses.replace(result, graph=True, leaf=True)  # of zeros_like(x, requires_grad=True)
        return result

    def _of_distribution(self, call: nodes.Call, parameters: Sequence[Fact | None]) -> Fact | None:
        """Return what a distribution with *parameters* gives: its densities carry their graph."""
        graph: bool | None = None
        for fact in parameters:
            held = fact.any() if isinstance(fact, Group) else fact
            if isinstance(held, Tensor) and held.graph:
                graph = True
        return Tensor(graph=self.recorded(call, graph), storage=frozenset({call}))


def _fresh(fact: Fact | None, call: nodes.Call) -> Fact | None:
    return dataclasses.replace(fact, storage=frozenset({call})) if isinstance(fact, Tensor) else None


def _saved_by_all(outcomes: Sequence[Saved]) -> Saved:
    """Return what is kept whichever of several callees ran: a change of it fails for certain."""
    common = outcomes[0]
    for other in outcomes[1:]:
        common = {memory: ops & other[memory] for memory, ops in common.items() if memory in other}
    return {memory: ops for memory, ops in common.items() if ops}
