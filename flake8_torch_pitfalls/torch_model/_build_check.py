"""Comparison of torch's stubs with the installed torch: same names and parameters, nothing public missing.

The stubs of the frameworks around torch are short on purpose, and left out.
"""
from __future__ import annotations

import ast
import functools
import importlib
import inspect
import keyword
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from flake8_torch_pitfalls.torch_model._index import Definition, bases, definitions, members
from flake8_torch_pitfalls.torch_model._resolve import canonical, definition
from flake8_torch_pitfalls.torch_model._signatures import Signature, signatures
from flake8_torch_pitfalls.torch_model.names import stub_files

_Form = tuple[tuple[str, bool], ...]
"""The names of a signature's parameters, each with whether it has a default."""


def differences() -> Iterator[str]:
    """Yield every difference between torch's stubs and the installed torch."""
    for module in stub_files():
        real = _imported(module) if module.partition(".")[0] == "torch" else None
        if real is not None:
            yield from _module(module, real)
    yield from _missing()


def _imported(module: str) -> ModuleType | None:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def _module(module: str, real: ModuleType) -> Iterator[str]:
    classes = [each for each in definitions(module).values() if each.kind == "class"]
    inherited = {base for each in classes for base in bases(each)}
    for name, found in definitions(module).items():
        if found.kind == "module" or found.target.partition(".")[0] in ("collections", "typing"):
            continue
        dotted = f"{module}.{name}"
        if found.kind == "reference":
            yield from _reference(dotted, real, name)
        elif not hasattr(real, name):
            if name not in inherited and name != "__getattr__":  # a base that torch itself does not export
                yield f"{dotted} does not exist"
        elif found.kind == "class":
            yield from _class(dotted, found, getattr(real, name))
        elif found.kind == "function":
            yield from _function(dotted, getattr(real, name))


def _reference(dotted: str, real: ModuleType, name: str) -> Iterator[str]:
    """A re-export is the very object it is said to be; a name only imported for annotations is free."""
    found = definition(dotted)
    if found is None:
        if name not in ("AbstractContextManager", "timedelta"):
            yield f"{dotted} stands for nothing"
        return
    value = getattr(real, name, None)
    expected = getattr(_imported(found.module), found.name, value) if found.name else value
    if value is not expected and str(getattr(value, "__module__", "")).startswith("torch"):
        yield f"{dotted} is not {canonical(dotted)}"


def _class(dotted: str, found: Definition, real: Any) -> Iterator[str]:
    if not inspect.isclass(real):
        yield f"{dotted} is not a class"
        return
    for name, each in members(found).items():
        if each.kind != "function" or name == "__init__" and real.__init__ is object.__init__:
            continue
        if not hasattr(real, name):
            yield f"{dotted}.{name} does not exist"
        else:
            yield from _function(f"{dotted}.{name}", getattr(real, name), inspect.getattr_static(real, name))


def _function(dotted: str, real: Any, static: Any = None) -> Iterator[str]:
    stubbed = [_form(each) for each in signatures(dotted)]
    actual = _real_forms(dotted, real, static)
    if actual is None:
        return
    for form in stubbed:
        if form not in actual and not any(_accepts(each, form) for each in actual):
            yield f"{dotted} takes {_shown(actual)}, not {_shown([form])}"
    for form in actual:
        if form not in stubbed and not any(_accepts(form, each) for each in stubbed):
            yield f"{dotted} takes {_shown([form])} too"


def _form(signature: Signature) -> _Form:
    return tuple((each.name, each.has_default) for each in signature.parameters)


def _shown(forms: list[_Form]) -> str:
    return " or ".join(
        "(" + ", ".join(name + "=" * default for name, default in form) + ")" for form in forms
    )


def _accepts(actual: _Form, stubbed: _Form) -> bool:
    """A function that forwards whatever it is given may be described by what it forwards to."""
    names = {name for name, _ in actual}
    own = [pair for pair in actual if not pair[0].startswith("*")]
    return any(name.startswith("**") for name in names) and set(own) <= set(stubbed)


def _real_forms(dotted: str, real: Any, static: Any) -> list[_Form] | None:
    """Return the forms of call that the installed function takes, None when nothing tells them."""
    if inspect.isfunction(inspect.unwrap(real)) or inspect.ismethod(real):
        try:
            signature = inspect.signature(real)
        except (TypeError, ValueError):
            pass
        else:
            places = list(signature.parameters.values())
            if static is not None and not isinstance(static, (staticmethod, classmethod)):
                places = places[1:]
            return [_inspected(places)]
    if static is not None and not dotted.startswith("torch.Tensor."):
        return None
    return _typed_forms().get(_place(dotted, real))


def _inspected(places: list[inspect.Parameter]) -> _Form:
    form: list[tuple[str, bool]] = []
    optional = False
    for each in places:
        stars = "*" * (each.kind is each.VAR_POSITIONAL) + "**" * (each.kind is each.VAR_KEYWORD)
        # A default that is inspect's own mark of "none" shows only by what stands before it.
        follows = optional and each.kind is each.POSITIONAL_OR_KEYWORD
        optional = each.default is not each.empty or follows
        form.append((stars + each.name, optional))
    return tuple(form)


def _place(dotted: str, real: Any) -> str:
    """Return where torch's own typing of C functions describes this one."""
    name = dotted.rpartition(".")[2]
    if dotted.startswith("torch.Tensor."):
        return f"TensorBase.{name}"
    return getattr(real, "__name__", name)


@functools.cache
def _typed_forms() -> dict[str, list[_Form]]:
    """Return the forms of the functions that are written in C, from the typing that ships with torch."""
    found: dict[str, list[_Form]] = {}
    folder = Path(str(importlib.import_module("torch._C").__file__)).parent / "_C"
    for file in ("__init__.pyi", "_nn.pyi", "_VariableFunctions.pyi"):
        here: dict[str, list[_Form]] = {}
        for node in ast.parse((folder / file).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                here.setdefault(node.name, []).append(_ast_form(node.args, 0))
            elif isinstance(node, ast.ClassDef) and node.name == "TensorBase":
                for each in node.body:
                    if isinstance(each, ast.FunctionDef):
                        here.setdefault(f"TensorBase.{each.name}", []).append(_ast_form(each.args, 1))
        found.update(here)
    return found


def _ast_form(arguments: ast.arguments, skipped: int) -> _Form:
    places = [*arguments.posonlyargs, *arguments.args]
    optional = len(places) - len(arguments.defaults)
    form = [(each.arg, i >= optional) for i, each in enumerate(places)][skipped:]
    if arguments.vararg:
        form.append((f"*{arguments.vararg.arg}", False))
    form += [(each.arg, bool(default)) for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg:
        form.append((f"**{arguments.kwarg.arg}", False))
    return tuple(form)


def _missing() -> Iterator[str]:
    """Yield what users reach for and no stub has."""
    tensor = importlib.import_module("torch").Tensor
    known = members(definitions("torch")["Tensor"])
    for name in dir(tensor):
        if not name.startswith("_") and not keyword.iskeyword(name) and name not in known:
            yield f"torch.Tensor.{name} is missing: {_suggestion(getattr(tensor, name, None))}"
    for module in ("torch", "torch.nn", "torch.nn.functional", "torch.optim", "torch.optim.lr_scheduler"):
        real = importlib.import_module(module)
        for name in dir(real):
            value = getattr(real, name)
            public = name in getattr(real, "__all__", ()) or getattr(value, "__module__", "") == module
            if public and not _internal(name, value) and definition(f"{module}.{name}") is None:
                yield f"{module}.{name} is missing: {_suggestion(value)}"


def _internal(name: str, value: Any) -> bool:
    """Return whether a name looks public and is of no use to a program, as the compiler's classes are."""
    compilers = inspect.isclass(value) and hasattr(importlib.import_module("torch._C"), name)
    return name.startswith("_") or name in _INTERNAL or compilers or isinstance(value, ModuleType)


def _suggestion(real: Any) -> str:
    try:
        return str(inspect.signature(real))
    except (TypeError, ValueError):
        return str(real.__doc__).strip().partition("\n")[0]


_INTERNAL = frozenset(
    """
    BroadcastingList1 BroadcastingList2 BroadcastingList3 DType FileCheck assert_int_or_pair
    boolean_dispatch get_file_path prepare_multiprocessing_environment typename
    """.split()
)
