"""What the stubs say a call takes and gives."""
from __future__ import annotations

import ast
import functools
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from flake8_torch_pitfalls.torch_model._index import Definition, members
from flake8_torch_pitfalls.torch_model._resolve import ancestors, definition, member, resolve_in

_PLAIN = {
    "Any": "Any",
    "Callable": "callable",
    "Iterable": "iterator",
    "Iterator": "iterator",
    "Literal": "Any",
    "Mapping": "dict",
    "Self": "Self",
    "Sequence": "list",
    "bool": "bool",
    "dict": "dict",
    "float": "float",
    "int": "int",
    "list": "list",
    "str": "str",
    "tuple": "tuple",
}


@dataclass(frozen=True, slots=True)
class Type:
    """A type as an annotation names it.

    *name* is a canonical dotted name such as ``torch.Tensor`` or one of ``Self``, ``None``, ``Any``,
    ``tuple``, ``list``, ``dict``, ``iterator``, ``int``, ``float``, ``bool``, ``str``, ``callable``;
    ``union`` stands only inside *args*, and a tuple of any length ends in ``...``.
    """

    name: str
    args: tuple[Type, ...] = ()
    fields: tuple[str, ...] = ()
    """The names of a tuple's elements, where torch names them, such as ``values`` and ``indices``."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a function; *default* is the source text, ``...`` where it is no constant."""

    name: str
    kind: Literal["positional", "keyword-only", "var"]
    has_default: bool
    default: str | None
    annotation: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Signature:
    """One overload."""

    parameters: tuple[Parameter, ...]
    returns: tuple[Type, ...]

    def takes(self, positional: int, keywords: frozenset[str], integers: frozenset[int]) -> bool:
        """Return whether a call of this form can mean this overload."""
        named = [each for each in self.parameters if each.kind != "var"]
        by_place = [each for each in named if each.kind == "positional"]
        star = any(each.name.startswith("*") and each.name[1] != "*" for each in self.parameters)
        double_star = any(each.name.startswith("**") for each in self.parameters)
        if positional > len(by_place) and not star:
            return False
        if not double_star and not keywords <= {each.name for each in named}:
            return False
        given = keywords | {each.name for each in by_place[:positional]}
        if any(not each.has_default and each.name not in given for each in named):
            return False
        return all(_holds_integer(by_place[i]) for i in integers if i < min(positional, len(by_place)))


def _holds_integer(parameter: Parameter) -> bool:
    names = {each.name for each in parameter.annotation}
    return not names or bool(names & {"int", "float", "bool", "Any"})


@functools.lru_cache(maxsize=4096)
def signatures(dotted: str) -> tuple[Signature, ...]:
    """Return the overloads of a function or method, ``self`` and ``cls`` left out."""
    found = definition(dotted)
    if found is None or found.kind != "function":
        return ()
    return tuple(_signature(found, source) for source in found.sources)


def _signature(found: Definition, source: str) -> Signature:
    node = ast.parse(textwrap.dedent(source)).body[0]
    assert isinstance(node, ast.FunctionDef)
    static = any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in node.decorator_list)
    parameters = tuple(_parameters(found.module, node.args))
    if "." in found.name and not static:
        parameters = parameters[1:]
    return Signature(parameters, types(found.module, node.returns))


def _parameters(module: str, arguments: ast.arguments) -> Iterator[Parameter]:
    by_place = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(by_place) - len(arguments.defaults)) + arguments.defaults
    for argument, default in zip(by_place, defaults):
        yield _parameter(module, argument, "positional", default)
    if arguments.vararg:
        yield Parameter(f"*{arguments.vararg.arg}", "var", False, None)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        yield _parameter(module, argument, "keyword-only", default)
    if arguments.kwarg:
        yield Parameter(f"**{arguments.kwarg.arg}", "var", False, None)


def _parameter(
    module: str, argument: ast.arg, kind: Literal["positional", "keyword-only"], default: ast.expr | None
) -> Parameter:
    text = ast.unparse(default) if default else None
    return Parameter(argument.arg, kind, default is not None, text, types(module, argument.annotation))


def types(module: str, annotation: ast.expr | None) -> tuple[Type, ...]:
    """Return the alternatives of an annotation written in the stub of *module*."""
    if annotation is None:
        return ()
    if isinstance(annotation, ast.BinOp):
        left, right = types(module, annotation.left), types(module, annotation.right)
        return tuple(dict.fromkeys(left + right))
    if isinstance(annotation, ast.Constant):
        return (Type("..." if annotation.value is ... else str(annotation.value)),)
    if isinstance(annotation, ast.Subscript):
        (outer,) = types(module, annotation.value)
        inner = annotation.slice
        elements = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        return (Type(outer.name, tuple(_single(types(module, each)) for each in elements)),)
    return (_named(module, ast.unparse(annotation)),)


def _single(alternatives: tuple[Type, ...]) -> Type:
    return alternatives[0] if len(alternatives) == 1 else Type("union", alternatives)


def _named(module: str, name: str) -> Type:
    """Return the type of a name; ``int`` and the like are Python's, though torch has dtypes of that name."""
    if name in _PLAIN:
        return Type(_PLAIN[name])
    resolved = resolve_in(module, name)
    found = definition(resolved)
    if found is None or found.kind != "class":
        return Type("Any")
    if "NamedTuple" in ancestors(resolved):
        fields = members(found)
        elements = (_single(attribute_type(f"{resolved}.{each}")) for each in fields)
        return Type("tuple", tuple(elements), tuple(fields))
    return Type(resolved)


@functools.lru_cache(maxsize=4096)
def returned(
    dotted: str,
    positional: int = 0,
    keywords: frozenset[str] = frozenset(),
    integers: frozenset[int] = frozenset(),
) -> tuple[Type, ...]:
    """Return the alternatives of what a call gives, or nothing when the model does not say.

    The call's form picks the overload: how many positional arguments (without ``self``), which
    keywords, and at which positions an integer literal stands. A form that fits no overload is taken
    for any of them.
    """
    found = definition(dotted)
    if found is None:
        return ()
    if found.kind == "class":
        return (_named(found.module, found.name),)
    overloads = signatures(dotted)
    fitting = [each for each in overloads if each.takes(positional, keywords, integers)]
    return tuple(dict.fromkeys(kind for each in fitting or overloads for kind in each.returns))


def is_class_method(dotted: str) -> bool:
    """Return whether *dotted* is a class method, such as ``from_pretrained``."""
    found = definition(dotted)
    return found is not None and found.kind == "function" and found.sources[0].lstrip().startswith("@classmethod")


@functools.lru_cache(maxsize=4096)
def attribute_type(dotted: str) -> tuple[Type, ...]:
    """Return the alternatives of an annotated attribute or module-level value."""
    found = definition(dotted)
    if found is None or found.kind != "value":
        return ()
    node = ast.parse(textwrap.dedent(found.sources[0])).body[0]
    return types(found.module, node.annotation) if isinstance(node, ast.AnnAssign) else ()


def parameters(dotted: str) -> tuple[Parameter, ...]:
    """Return the parameters of a function, of a method without ``self``, or of a class's ``__init__``.

    Of several overloads it is the first.
    """
    found = definition(dotted)
    if found is not None and found.kind == "class":
        dotted = member(dotted, "__init__") or ""
    overloads = signatures(dotted)
    return overloads[0].parameters if overloads else ()
