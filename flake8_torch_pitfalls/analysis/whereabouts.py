"""Devices in a run: where tensors and modules are, what moves them, and which operands are on two devices."""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis import devices, operations, scopes
from flake8_torch_pitfalls.analysis.batches import LOADER, collates_by_default
from flake8_torch_pitfalls.analysis.datasets import sample
from flake8_torch_pitfalls.analysis.facts import Batches, Fact, Placed, Tensor
from flake8_torch_pitfalls.analysis.layers import Trait, has
from flake8_torch_pitfalls.analysis.operations import Operand
from flake8_torch_pitfalls.analysis.passes import Clash, target_text
from flake8_torch_pitfalls.analysis.shapes import Shapes
from flake8_torch_pitfalls.analysis.symbols import WRAPPERS
from flake8_torch_pitfalls.analysis.tree import argument, class_of, dotted, function_of, is_open, last_name
from flake8_torch_pitfalls.analysis.values import Class, Function, Instance

RETURNS_MODULE = frozenset("train eval half float double bfloat16 type apply requires_grad_ share_memory".split())
_LEGACY_FACTORY = re.compile(r"torch\.(Float|Double|Half|Long|Int|Short|Byte|Bool|)Tensor")


class Whereabouts(Shapes):
    """Answers where something is, and notes the clashes."""

    def device(self, node: nodes.NodeNG | None) -> str | None:
        """Return the device that *node* names, or that the tensor *node* is on."""
        match self.latest.get(node):
            case Tensor(device=where) | Placed(device=where):
                return where
        if isinstance(node, nodes.Attribute) and node.attrname == "device":
            held = self.latest.get(node.expr)
            if isinstance(held, (Tensor, Placed)) and held.device is not None:
                return held.device
            if _is_parameter(node.expr):
                module = self.given.get("self")
                if isinstance(module, Placed):
                    return module.device
                return devices.FOLLOWED  # whoever writes x.device means to follow x to any device
        if isinstance(node, nodes.Name):
            found = scopes.definitions(node, node.name)
            if len(found) == 1 and isinstance(found[0].parent, nodes.Assign):
                value = found[0].parent.value
                if isinstance(value, nodes.Attribute) and value.attrname == "device" and value in self.latest:
                    return self.device(value)
        return devices.named(self.names, node)

    def device_at(self, node: nodes.NodeNG) -> str | None:
        """Return the device of the tensor *node*, which may stand in another function."""
        fact = self.fact(node) if function_of(node) is self.scope else self.tensors.at(node)
        return fact.device if isinstance(fact, Tensor) else None

    def held_module(self, func: nodes.NodeNG) -> Placed | None:
        """Return where the module *func* is that is called."""
        fact = self.fact(func)
        return fact if isinstance(fact, Placed) else None

    def owner(self, method: Function, func: nodes.NodeNG) -> Placed | None:
        """Return where the module is whose *method* is called as *func*, if its parts move with it."""
        held = self.latest.get(func.expr) if isinstance(func, nodes.Attribute) else None
        owner = method.receiver.cls if method.receiver is not None else None
        if not isinstance(held, Placed) or not isinstance(owner, nodes.ClassDef):
            return None
        return None if self.tensors.moves_itself(owner, "__init__") else held

    def moved_elsewhere(self, node: nodes.NodeNG) -> Fact | None:
        """Return what ``self.net.to(device)`` in another method says of the module ``self.net``."""
        text = target_text(node)
        calls = self.names.index_of(node).calls
        found = [
            self.tensors.at(call)
            for name in sorted(devices.MOVES)
            for call in calls.get(name, ())
            if dotted(getattr(call.func, "expr", None)) == text
            and function_of(call) is not self.scope
            and class_of(call) is class_of(self.scope)
        ]
        if not found:
            return None
        return found[0] if len(set(found)) == 1 and isinstance(found[0], Placed) else Placed(None)

    def is_of_module(self, node: nodes.NodeNG) -> bool:
        """Return whether *node* is an attribute of what may be a module."""
        return any(self.names.is_a(value, "torch.nn.Module") is not False for value in self.names.values(node.expr))

    def stays_on_cpu(self, module: Instance) -> bool:
        """Return whether *module*, which was not moved, has something that is on the CPU therefore."""
        return str(module.cls).endswith("Loss") or has(self.names, module, Trait.PARAMETERS) is True

    def has_own_moves(self, module: Instance) -> bool:
        """Return whether *module* of the project moves tensors or itself, so that its caller need not."""
        return isinstance(module.cls, nodes.ClassDef) and self.tensors.moves_itself(module.cls)

    def new_module(self, cls: Class, call: nodes.Call) -> Placed | None:
        """Return where a new module of the project is."""
        if self.names.derives(cls.node, "torch.nn.Module") is not True:
            return None
        moved = self.tensors.moves_itself(cls.node, "__init__") or names_device(call)
        return Placed(None if moved else devices.CPU, made=Instance(cls.node, call))

    def new_object(self, call: nodes.Call, symbol: str, arguments: Sequence[Fact | None]) -> Fact | None:
        """Return what is known of a new object of a class of torch: a module or a loader."""
        if symbol == LOADER:
            return self._batches(call)
        if symbol == "torch.autograd.Variable":
            given = arguments[0] if len(arguments) == 1 and not call.keywords else None
            return dataclasses.replace(given, graph=False, leaf=False) if isinstance(given, Tensor) else None
        if symbol in WRAPPERS:
            inner = arguments[0] if arguments else None
            return Placed(inner.device if isinstance(inner, Placed) else None, moves_inputs=True)
        if _LEGACY_FACTORY.fullmatch(symbol):
            return Tensor(storage=frozenset({call}), device=devices.CPU)
        if "torch.nn.Module" not in torch_model.ancestors(symbol):
            return None
        named = argument(call, None, "device")
        if named is not None:
            return Placed(self.device(named), made=Instance(symbol, call))
        mixed = is_open(call) or any(isinstance(one, Placed) and one.device != devices.CPU for one in arguments)
        return Placed(None if mixed else devices.CPU, made=Instance(symbol, call))

    def _batches(self, call: nodes.Call) -> Batches | None:
        if not collates_by_default(self.names, call):
            return None
        found = sample(self.names, argument(call, 0, "dataset"), self)
        return None if found is None else Batches(found)

    def module_method(self, call: nodes.Call, func: nodes.Attribute, receiver: Fact | None) -> Placed | None:
        """Return what a method of a module that returns the module itself leaves of it."""
        if func.attrname in devices.MOVES:
            if not isinstance(receiver, Placed):
                if receiver is not None or self.kinds.inferred(func.expr, "module") is not True:
                    return None
                receiver = Placed(None)
            where = operations.moved(call, receiver.device, self)
            made = dataclasses.replace(receiver, device=where, sometimes=False)
            if dotted(func.expr) is not None:
                self.rebind(func.expr, made)
            return made
        return receiver if isinstance(receiver, Placed) and func.attrname in RETURNS_MODULE else None

    def check_devices(self, name: str, operands: Sequence[Operand], node: nodes.NodeNG) -> None:
        """Note that the op *name* at *node* raises, if its operands are on two devices."""
        if name not in devices.NEED_ONE_DEVICE:
            return
        number_allowed = name in devices.ELEMENTWISE
        known = [
            operand
            for operand in operands
            if operand.fact is not None
            and operand.fact.device is not None
            and (not number_allowed or operand.fact.device != devices.CPU or devices.has_dimensions(operand.fact))
        ]
        self._note_clash(node, [(operand.node, operand.fact) for operand in known if operand.fact is not None])

    def check_inputs(
        self, module: Instance, call: nodes.Call, arguments: Sequence[Fact | None], placed: Placed | None
    ) -> None:
        """Note that a layer of torch raises, if it and one of its inputs are on two devices."""
        places = [*call.args, *(keyword.value for keyword in call.keywords or () if keyword.arg)]
        given = devices.tensors_in(list(zip(places, arguments)))
        if str(module.cls).endswith("Loss"):
            given += self._weights(module, call.func, placed)
            self._note_clash(call, [(place, fact) for place, fact in given if fact.device is not None])
            return
        if placed is None or placed.device is None or placed.moves_inputs:
            return
        for place, fact in given:
            if devices.differ(fact.device, placed.device) and has(self.names, module, Trait.PARAMETERS):
                where = fact.device or ""
                self.clashes[call] = Clash(call, place, where, placed.device, True, placed.sometimes)
                return

    def _note_clash(self, node: nodes.NodeNG, known: Sequence[tuple[nodes.NodeNG | None, Tensor]]) -> None:
        for number, (place, fact) in enumerate(known):
            for other_place, other in known[:number]:
                if devices.differ(fact.device, other.device):
                    if fact.device != devices.CPU and other.device == devices.CPU:
                        place, fact, other = other_place, other, fact
                    self.clashes[node] = Clash(node, place, fact.device or "", other.device or "")
                    return

    def _weights(
        self, loss: Instance, func: nodes.NodeNG, placed: Placed | None
    ) -> list[tuple[nodes.NodeNG, Tensor]]:
        """Return the tensors that *loss*, called as *func*, was made with; they move with it."""
        made = loss.made_at
        if not isinstance(made, nodes.Call):
            return []
        if placed is None:
            if not isinstance(func, nodes.Attribute) or self.is_of_module(func) or self.moved_elsewhere(func):
                return []
        elif placed.device is None:
            return []
        given = [argument(made, None, name) for name in ("weight", "pos_weight")]
        moved = placed.device if placed is not None and placed.device != devices.CPU else None
        return [(node, Tensor(device=moved or self.device_at(node))) for node in given if node is not None]


def _is_parameter(node: nodes.NodeNG) -> bool:
    if not isinstance(node, nodes.Name) or node.name == "self":
        return False
    found = scopes.definitions(node, node.name)
    return len(found) == 1 and isinstance(found[0].parent, nodes.Arguments)


def names_device(call: nodes.Call) -> bool:
    """Return whether *call* hands a device to a constructor, which may put the module there."""
    given = [*call.args, *(keyword.value for keyword in call.keywords or ())]
    words = [keyword.arg or "" for keyword in call.keywords or ()] + [last_name(node) or "" for node in given]
    return is_open(call) or any("dev" in word or "cuda" in word or "gpu" in word for word in words)
