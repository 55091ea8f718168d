"""Calls of the project's functions in a run: what a pass through the callee says of its result and its arguments."""
from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices, scopes
from flake8_torch_pitfalls.analysis.facts import Batches, Fact, Group, Placed, Tensor
from flake8_torch_pitfalls.analysis.passes import Pass
from flake8_torch_pitfalls.analysis.values import Function
from flake8_torch_pitfalls.analysis.variables import Variables


class ProjectCalls(Variables):
    """Evaluates calls of functions whose text is in view."""

    def project_function(
        self,
        function: Function,
        call: nodes.Call,
        arguments: Sequence[Fact | None],
        keywords: dict[str, Fact | None],
        receiver: Placed | None = None,
    ) -> Fact | None:
        """Return what *call* of *function* gives, and note what the callee keeps and blames."""
        bound = _bound(function, arguments, keywords)
        if receiver is not None and receiver.device is not None:
            bound["self"] = receiver
        done = self.tensors.through(function, bound)
        if done is None:
            return self.from_model(call)
        self._blame_arguments(function, bound, done, call)
        result = self._own_result(done.returned, [*arguments, *keywords.values()], call)
        recording = self.tensors.recording(call)
        if recording is not False:
            self.callees[function.node] = done
            self._take_over(done, function, call, result)
        if isinstance(result, Tensor):
            return dataclasses.replace(result, graph=self.recorded(call, result.graph))
        if result is None and not done.facts:  # else it is known to return no tensor
            return self.from_model(call)
        return result

    def _own_result(self, fact: Fact | None, arguments: Sequence[Fact | None], call: nodes.Call) -> Fact | None:
        """Return *fact*, a callee's result, with the memory that the callee allocated counted as that of *call*."""
        self.state.renew(call)
        fact = devices.returned(fact)
        if isinstance(fact, Group):
            return Group(
                None if fact.items is None else tuple(_without_memory(item) for item in fact.items),
                _without_memory(fact.item),
            )
        if not isinstance(fact, Tensor):
            return fact if isinstance(fact, (Placed, Batches)) else None
        given = {storage for argument in arguments if isinstance(argument, Tensor) for storage in argument.storage}
        memory = {storage if storage in given else call for storage in fact.storage}
        return dataclasses.replace(fact, storage=frozenset(memory))

    def _take_over(self, done: Pass, function: Function, call: nodes.Call, result: Fact | None) -> None:
        """Note what a callee keeps for backward of the tensors it was given and of its result."""
        given = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
        for parameter in [*function.node.args.posonlyargs, *(function.node.args.args or [])]:
            node = given.get(parameter.name)
            fact = self.facts.get(node) if node is not None else None
            if isinstance(fact, Tensor):
                if done.saved.get(fact.storage):
                    self.state.keep(fact.storage, (call,))
            elif node is not None and done.saved.get(frozenset({parameter})):
                if (own := self.own_tensor(node)) is not None:
                    self.state.keep(own.storage, (call,))
        if isinstance(result, Tensor) and isinstance(done.returned, Tensor):
            if done.saved.get(done.returned.storage):
                self.state.keep(result.storage, (call,))

    def _blame_arguments(
        self, function: Function, bound: dict[str, Fact | None], done: Pass, call: nodes.Call
    ) -> None:
        """Note a clash at *call* if it is the tensors given there that meet another device in the callee."""
        if not done.clashes:
            return
        neutral = self.tensors.through(function, devices.without_strays(bound))
        if neutral is None:
            return
        caused = [clash for node, clash in done.clashes.items() if node not in neutral.clashes]
        if not caused:
            return
        clash = next((clash for clash in caused if clash.module), caused[0])
        matched = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
        strays = [
            place
            for name, place in matched.items()
            if isinstance(fact := bound.get(name), Tensor) and fact.device == clash.device
        ]
        self.clashes[call] = dataclasses.replace(
            clash, node=call, stray=strays[0] if strays else None, module=isinstance(bound.get("self"), Placed)
        )

    def from_model(self, call: nodes.Call) -> Fact | None:
        """Return what the model's annotation says of the result of *call*."""
        for value in self.names.values(call):
            if self.names.is_a(value, "torch.Tensor"):
                return Tensor(storage=frozenset({call}))
            if self.names.is_a(value, "torch.nn.Module") and isinstance(call.func, nodes.Name | nodes.Attribute):
                return Placed(devices.CPU) if self.names.symbol(call.func) else None
        return None


def _bound(
    function: Function, arguments: Sequence[Fact | None], keywords: dict[str, Fact | None]
) -> dict[str, Fact | None]:
    args = function.node.args
    names = [a.name for a in [*args.posonlyargs, *(args.args or [])]]
    if function.receiver is not None:
        names = names[1:]
    return {**dict(zip(names, arguments)), **keywords}


def _without_memory(fact: Fact | None) -> Fact | None:
    return dataclasses.replace(fact, storage=frozenset()) if isinstance(fact, Tensor) else fact
