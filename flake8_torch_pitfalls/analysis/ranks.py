"""Tests on the rank of a process in a distributed program, and what they keep from which ranks.

A *label* says which ranks a branch is for: ``"== 0"``, ``"!= 0"``, ``"== 1"``. Two branches with different
labels are taken by different ranks.
"""
from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.flow import ENDS_PROGRAM
from flake8_torch_pitfalls.analysis.origins import origins
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    ancestors,
    argument,
    block_of,
    class_of,
    constant,
    decorator_names,
    dotted,
    last_name,
)
from flake8_torch_pitfalls.analysis.values import Function

_WHOSE = r"(local|global|world|node|dist|ddp|dp|proc|process|my|this|current|cur|torch|mp|data_parallel)"
_RANK = re.compile(rf"_*({_WHOSE}_?)?(rank|rank_?id|process_index|local_process_index)", re.IGNORECASE)
_GET_RANK = re.compile(rf"_*get_*({_WHOSE}_)?rank", re.IGNORECASE)
_IS_MAIN = re.compile(
    r"_*(is|am|i_am|if)?_*(local|global|world|the|on)?_*"
    r"(main|master|primary|chief|rank_?(zero|0)|global_zero|rank0|zero_rank|main_local)"
    r"(_(process|proc|rank|node|worker|gpu|only|device))*_*",
    re.IGNORECASE,
)
_ONE_RANK = re.compile(r"(src|dst|root|main|master|save|primary)(_?rank)?", re.IGNORECASE)
_ON_ONE_RANK = {"rank_zero_only", "master_only", "on_main_process", "on_local_main_process", "main_process_only",
                "only_on_main_process", "rank0_only"}  # fmt: skip
"""Decorators of functions that do nothing on the other ranks."""
_DISTRIBUTED = re.compile(
    r"is_initialized|is_available|distributed|world_?size|\bddp\b|use_ddp|is_dist|_rank [!=]= -1|num_gpus|n_gpus?"
)
"""What stands in tests whether the program is distributed at all."""
_FLIPPED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}
VARIABLES = {
    "RANK": "global", "SLURM_PROCID": "global", "OMPI_COMM_WORLD_RANK": "global", "PMI_RANK": "global",
    "LOCAL_RANK": "local", "SLURM_LOCALID": "local", "OMPI_COMM_WORLD_LOCAL_RANK": "local", "MPI_LOCALRANKID": "local",
}  # fmt: skip
"""The variables by which launchers tell a process its rank, and how far each reaches."""
_EXTENTS = {
    **VARIABLES,
    "torch.distributed.get_rank": "global",
    "torch.distributed.get_node_local_rank": "local",
}
_DEEPEST = 5

Labels = tuple[str | None, str | None]
"""The labels of the branches of a test: where it holds and where it fails; None where all ranks may go."""
NO_LABELS: Labels = (None, None)


@dataclasses.dataclass(frozen=True, slots=True)
class Guard:
    """Something that lets only the ranks of *label* through; *shown* is its text."""

    label: str
    shown: str
    branch: nodes.NodeNG | None = None


def guards(source: Source, node: nodes.NodeNG) -> Iterator[Guard]:
    """Yield what keeps some ranks away from *node* in the function it stands in, innermost first."""
    below = node
    for parent in ancestors(node):
        match parent:
            case nodes.If(test=test):
                sides = (below in parent.body, below in parent.orelse)
                yield from _guard(source, test, sides, parent)
            case nodes.IfExp(test=test):
                yield from _guard(source, test, (below is parent.body, below is parent.orelse), parent)
            case nodes.While(test=test):
                yield from _guard(source, test, (below in parent.body, False), parent)
            case nodes.BoolOp(values=values, op=op):
                for test in reversed(values[: values.index(below)]):
                    yield from _guard(source, test, (op == "and", op == "or"), parent)
            case nodes.FunctionDef() if below in parent.body and decorator_names(parent) & _ON_ONE_RANK:
                [decorator, *_] = decorator_names(parent) & _ON_ONE_RANK
                yield Guard("== 0", f"@{decorator}")
        yield from _guards_before(source, below)
        if isinstance(parent, (*FUNCTIONS, nodes.ClassDef)):
            return
        below = parent


def _guard(source: Source, test: nodes.NodeNG, sides: tuple[bool, bool], branch: nodes.NodeNG) -> Iterator[Guard]:
    if any(sides):
        label = labels(source, test)[sides.index(True)]
        if label is not None:
            yield Guard(label, f"if {test.as_string()}" if sides[0] else f"else of {test.as_string()}", branch)


def _guards_before(source: Source, statement: nodes.NodeNG) -> Iterator[Guard]:
    """Yield the tests further up in the block of *statement* that only some ranks pass."""
    block = block_of(statement)
    for earlier in block[: block.index(statement)] if block else ():
        if isinstance(earlier, nodes.If):
            ends, goes_on = _leaves(earlier.body), not earlier.orelse or not _leaves(earlier.orelse)
            if ends and goes_on and (label := labels(source, earlier.test)[1]) is not None:
                how = type(earlier.body[-1]).__name__.lower()
                yield Guard(label, f"if {earlier.test.as_string()}: {how if how != 'expr' else 'exit'}", earlier)
        elif isinstance(earlier, nodes.Assert):
            label = labels(source, earlier.test)[0]
            if label is not None and label.startswith("=="):  # others may check how many ranks there are
                yield Guard(label, f"assert {earlier.test.as_string()}", earlier)


def _leaves(body: list[nodes.NodeNG]) -> bool:
    """Return whether *body* ends with leaving the block it stands in, other than by an error."""
    match body[-1]:
        case nodes.Return() | nodes.Continue() | nodes.Break():
            return True
        case nodes.Expr(value=nodes.Call() as call):
            return dotted(call.func) in ENDS_PROGRAM
    return False


# -- tests -----------------------------------------------------------------------------------------


def labels(source: Source, test: nodes.NodeNG, depth: int = 0) -> Labels:
    """Return which ranks go where *test* holds, and which where it fails."""
    if depth > _DEEPEST:
        return NO_LABELS
    match test:
        case nodes.UnaryOp(op="not"):
            true, false = labels(source, test.operand, depth + 1)
            return false, true
        case nodes.Compare(ops=[(op, right)]):
            return _compared(source, test.left, op, right)
        case nodes.BoolOp():
            return _combined(source, test, depth)
        case nodes.Name() | nodes.Attribute() | nodes.Call():
            return _predicate(source, test, depth)
    return NO_LABELS


def _compared(source: Source, left: nodes.NodeNG, op: str, right: nodes.NodeNG) -> Labels:
    if not is_rank(source, left):
        mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
        if op not in mirrored or not is_rank(source, right):
            return NO_LABELS
        left, op, right = right, mirrored[op], left
    if isinstance(right, (nodes.List, nodes.Tuple, nodes.Set)):
        ranks = [rank for element in right.elts if (rank := constant(element)) != -1]
        if op not in ("in", "not in") or not ranks or ... in ranks:
            return NO_LABELS
        op, what = ("==" if op == "in" else "!=", ranks[0]) if len(ranks) == 1 else (op, ranks)
        return f"{op} {what}", f"{_FLIPPED[op]} {what}"
    number = constant(right)
    if isinstance(number, int) and not isinstance(number, bool):
        op, number = {(">", 0): ("!=", 0), (">=", 1): ("!=", 0), ("<", 1): ("==", 0), ("<=", 0): ("==", 0)}.get(
            (op, number), (op, number)
        )
        if number < 0 or (op, number) in ((">=", 0), ("<", 0)) or op not in _FLIPPED:
            return NO_LABELS
        return f"{op} {number}", f"{_FLIPPED[op]} {number}"
    if op in ("==", "!=") and _names_one_rank(right):
        text = right.as_string()
        return f"{op} {text}", f"{_FLIPPED[op]} {text}"
    return NO_LABELS


def _names_one_rank(node: nodes.NodeNG) -> bool:
    """Return whether *node* is the same on all ranks: a root by name, or the last rank."""
    if isinstance(node, nodes.BinOp) and node.op == "-":
        return "world" in node.as_string() and constant(node.right) == 1
    name = last_name(node)
    return name is not None and _ONE_RANK.fullmatch(name) is not None


def _combined(source: Source, test: nodes.BoolOp, depth: int) -> Labels:
    """Return the labels of ``a and b``, ``a or b``: of one test on the rank beside others.

    ``rank == 0 and verbose`` holds on rank 0 only and may fail anywhere; beside a test whether the program is
    distributed at all, such as ``not dist.is_initialized() or rank == 0``, the rank alone decides.
    """
    found = [labels(source, value, depth + 1) for value in test.values]
    on_rank = [each for each in found if each != NO_LABELS]
    if not on_rank:
        return NO_LABELS
    true, false = on_rank[0]
    others = [value for value, each in zip(test.values, found) if each == NO_LABELS]
    if len(on_rank) == 1 and all(_DISTRIBUTED.search(other.as_string()) for other in others):
        return true, false
    return (true, None) if test.op == "and" else (None, false)


def _predicate(source: Source, test: nodes.NodeNG, depth: int) -> Labels:
    """Return the labels of ``rank``, ``is_main``, ``self.is_main`` and ``is_main_process()``."""
    name = last_name(test.func if isinstance(test, nodes.Call) else test) or ""
    if is_rank(source, test):
        return "!= 0", "== 0"
    for meaning in _meanings(source, test):
        if (found := labels(source, meaning, depth + 1)) != NO_LABELS:
            return found
    return ("== 0", "!= 0") if _IS_MAIN.fullmatch(name) else NO_LABELS


def _meanings(source: Source, node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the expressions that *node*, a variable, attribute or call, gets its value from."""
    match node:
        case nodes.Name(name=name):
            found = scopes.definitions(node, name)
            if len(found) == 1 and isinstance(found[0].parent, nodes.Assign):
                yield found[0].parent.value
        case nodes.Attribute(attrname=name, expr=nodes.Name(name="self")):
            for store in source.names.index_of(node).stores.get(name, ()):
                if class_of(store) is class_of(node) and isinstance(store.parent, nodes.Assign):
                    yield store.parent.value
        case nodes.Call():
            for function in source.names.callee(node):
                if isinstance(function, Function):
                    for statement in source.names.index_of(function.node).returns.get(function.node, ()):
                        if statement.value is not None:
                            yield statement.value


# -- ranks -----------------------------------------------------------------------------------------


def is_rank(source: Source, node: nodes.NodeNG, depth: int = 0) -> bool:
    """Return whether *node* is the rank of the process, by what it is or what it is called."""
    match node:
        case nodes.Name() | nodes.Attribute():
            if _RANK.fullmatch(last_name(node) or ""):
                return True
            if isinstance(node, nodes.Name) and _is_spawned_rank(source, node):
                return True
            return depth < _DEEPEST and any(
                is_rank(source, meaning, depth + 1) for meaning in _meanings(source, node)
            )
        case nodes.Subscript(slice=nodes.Const(value=str() as key)):
            return key in VARIABLES or _RANK.fullmatch(key) is not None
        case nodes.Call():
            name = last_name(node.func) or ""
            if name in ("get", "getenv"):
                variable = constant(argument(node, 0, None))
                return variable in VARIABLES or isinstance(variable, str) and _RANK.fullmatch(variable) is not None
            if name == "int" and len(node.args) == 1:
                return is_rank(source, node.args[0], depth + 1)
            return _GET_RANK.fullmatch(name) is not None or _RANK.fullmatch(name) is not None
    return False


def extent(source: Source, node: nodes.NodeNG, depth: int = 0) -> str | None:
    """Return whether *node* is surely a rank over all machines, "global", or on its own machine, "local".

    What it is computed from decides, never its name; a constant beside it is for programs of one process.
    """
    found = [_extent(source, origin, depth) for origin in origins(source.names, node) if constant(origin) is ...]
    return found[0] if found and found.count(found[0]) == len(found) else None


def _extent(source: Source, node: nodes.NodeNG, depth: int) -> str | None:
    match node:
        case nodes.Subscript(slice=nodes.Const(value=variable)):
            return _EXTENTS.get(variable)
        case nodes.Attribute(attrname=name) if depth < _DEEPEST:
            set_to = [getattr(target.parent, "value", None) for target in source.index.stores.get(name, ())]
            if None in set_to or not set_to:
                return "local" if name == "local_rank" and _declares_option(source, name) else None
            found = {extent(source, value, depth + 1) for value in set_to if constant(value) is ...}
            return found.pop() if len(found) == 1 else None
        case nodes.Call(func=nodes.Name(name="int" | "str"), args=[given]) if depth < _DEEPEST:
            return extent(source, given, depth + 1)
        case nodes.Call() if last_name(node.func) in ("get", "getenv"):
            variable = constant(argument(node, 0, "key"))
            return _EXTENTS.get(variable) if isinstance(variable, str) else None
        case nodes.Call(args=[], keywords=[]):
            return _EXTENTS.get(source.names.symbol(node.func) or "")
    return None


def _declares_option(source: Source, name: str) -> bool:
    """Return whether the file declares the command line option *name*."""
    flags = (constant(given) for call in source.index.calls.get("add_argument", ()) for given in call.args)
    return any(isinstance(flag, str) and flag.lstrip("-").replace("-", "_") == name for flag in flags)


def _is_spawned_rank(source: Source, name: nodes.Name) -> bool:
    """Return whether *name* is the first parameter of a function given to ``torch.multiprocessing.spawn``."""
    found = scopes.definitions(name, name.name)
    if len(found) != 1 or not isinstance(found[0].parent, nodes.Arguments):
        return False
    function = found[0].parent.parent
    parameters = [*function.args.posonlyargs, *(function.args.args or [])]
    if not isinstance(function, nodes.FunctionDef) or found[0] is not parameters[0]:
        return False
    return any(
        last_name(argument(call, 0, "fn")) == function.name
        for call in source.names.index_of(function).calls.get("spawn", ())
    )
