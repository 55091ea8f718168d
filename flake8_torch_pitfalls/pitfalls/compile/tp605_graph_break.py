"""What `torch.compile` cannot trace cuts the compiled function in two and runs outside of it.

## What happens
Where a compiled function needs the data of a tensor in Python (`.item()`, `float(t)`, `if t.any():`), or calls what
works outside of tensors (`print`, logging, files, clocks, Python's generators of random numbers), the graph ends. The
call runs as plain Python, and what follows is compiled as another graph; in a `for` loop or a `try` the whole function
is left uncompiled. The result is right and the speed is lost, without a message. With `fullgraph=True` it is an error
instead.

## What to write
- A tensor instead of a number: `scale = weight.max()`, `torch.where(test, a, b)`, `x * mask` instead of `x[mask]`.
- Prints and logs outside of the compiled function, or under `if not torch.compiler.is_compiling():`.
- `torch.rand(())` instead of `random.random()`.
- A function that has to stay as it is: `@torch.compiler.disable`.

## Silent
- What torch 2.13 does trace: `.numpy()` and most of numpy, `np.random.rand(4)`, `random.randint`, sizes, dtypes and
  devices in tests, iterating over a tensor, `x[mask] = 0`, and a plain `assert` on a tensor (`assert not …` breaks).
- Code outside of the compiled function, and in functions under `torch.compiler.disable` or made custom operators.
- Functions that ask `torch.compiler.is_compiling()`.
- `.item()` under `capture_scalar_outputs` or `fullgraph=True`, `print` that is made reorderable.
- Under flags that are not known to be set: `if self.debug: print(x)`.
- `backward()` in a compiled training step.

## Known limits
Functions are followed where the text shows what is called. A break in another file is reported where this one compiles
or calls the function. Calls of other libraries are unknown.

## Sources
- "Graph breaks" and `torch.compiler` in PyTorch's documentation. Each kind was run on torch 2.13.
"""
from __future__ import annotations

import dataclasses
import itertools
import os
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.compiled import Region, compilations, has_option, regions
from flake8_torch_pitfalls.analysis.data_dependent import (
    depends_on_tensor,
    is_tensor,
    may_be_skipped,
    may_be_tensor,
    tests_of,
)
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, class_of, dotted, function_of, last_name, position, text_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"compile"}

_OUTSIDE = "move it out of the compiled function"
_LOGGING = frozenset("debug info warning warn error critical exception log".split())
_BREAKING = frozenset(
    "print input open breakpoint pdb.set_trace ipdb.set_trace pprint.pprint warnings.warn sys.stdout.write "
    "sys.stderr.write time.time time.time_ns time.perf_counter time.perf_counter_ns time.monotonic time.process_time "
    "time.sleep datetime.datetime.now os.path.exists os.path.isfile os.makedirs os.getenv pickle.dump pickle.dumps "
    "json.dumps json.dump torch.save torch.load torch.manual_seed torch.random.manual_seed torch.cuda.manual_seed "
    "torch.cuda.manual_seed_all torch.get_rng_state torch.set_rng_state".split()
) | {f"logging.{level}" for level in _LOGGING}
_RANDOM = frozenset(f"random.{name}" for name in "random choice choices shuffle sample gauss seed".split())
_NUMPY_SCALAR = frozenset(
    f"numpy.random.{name}" for name in "rand randn random uniform normal randint random_sample standard_normal".split()
)
"""Traced where they make arrays, not where they make one number."""
_NUMPY_RANDOM = frozenset(f"numpy.random.{name}" for name in "beta choice permutation binomial default_rng".split())
_NUMPY = frozenset(
    f"numpy.{name}"
    for name in (
        "unique bincount nonzero flatnonzero argwhere interp digitize pad nanmean nanmax cov corrcoef array2string "
        "save savetxt allclose array_equal apply_along_axis isin intersect1d setdiff1d union1d"
    ).split()
)
_NUMBERS = frozenset("float int bool".split())
_MATH = frozenset("complex math.sqrt math.log math.exp math.floor math.ceil math.pow math.isnan".split())
_SIZE_DEPENDS_ON_DATA = frozenset("nonzero unique unique_consecutive masked_select argwhere bincount".split())
_SELECTS = frozenset(("nonzero", "masked_select", "argwhere"))
"""Those among them that are methods of tensors and arrays only."""
_ANSWERS = frozenset(("torch.equal", "torch.allclose"))
_MASKS = frozenset("bool eq ne gt lt ge le logical_not logical_and logical_or isnan isinf isfinite".split())
_BRANCHES = {
    nodes.If: ("a branch on the data of a tensor", "use 'torch.where', or branch outside"),
    nodes.IfExp: ("a branch on the data of a tensor", "use 'torch.where', or branch outside"),
    nodes.While: ("a loop on the data of a tensor", "loop outside, or a fixed number of times"),
    nodes.Assert: ("an assert that negates or joins tests of tensors", "assert one plain test"),
}


@dataclasses.dataclass(frozen=True, slots=True)
class _Break:
    """A break at *node*: how the message calls it, what to do about it, whether ``fullgraph=True`` captures it."""

    node: nodes.NodeNG
    what: str
    advice: str
    is_captured: bool = False
    is_scalar: bool = False


def check(source: Source) -> Iterator[Finding]:
    """Yield what breaks the graphs of the functions that the file compiles."""
    reported: set[nodes.NodeNG] = set()
    for compilation in compilations(source):
        if has_option(source, compilation, "disable", True):
            continue
        is_whole = has_option(source, compilation, "fullgraph", True)
        for region in regions(source, compilation):
            for found in _breaks(source, region):
                place = region.place(found.node, source.module)
                if place in reported or any(above in reported for above in _in_statement(place)):
                    continue
                if found.is_captured and is_whole or _is_allowed(source, found):
                    continue
                reported.add(place)
                yield Finding(place, _message(found, region, is_whole, place))


def _in_statement(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the expressions around *node*: ``print(x.item())`` is one break."""
    return itertools.takewhile(lambda above: not above.is_statement, ancestors(node))


def _message(found: _Break, region: Region, is_whole: bool, place: nodes.NodeNG) -> str:
    harm = "breaks the graph of" if not is_whole else "stops 'torch.compile(fullgraph=True)' of"
    where = "" if found.node is place else f" ({os.path.basename(str(found.node.root().file))}:{found.node.lineno})"
    return f"{found.what} {harm} '{region.name}'{where}; {found.advice}"


def _is_allowed(source: Source, found: _Break) -> bool:
    """Return whether the file tells the compiler to go on over breaks of the kind of *found*."""
    if found.is_scalar:
        return _mentions(source, "capture_scalar_outputs")
    if found.is_captured:
        return _mentions(source, "capture_dynamic_output_shape_ops")
    return found.what in ("'print'", "'warnings.warn'") and _mentions(source, "reorderable_logging_functions")


def _mentions(source: Source, option: str) -> bool:
    index = source.index
    return (
        option in index.stores
        or option in index.attributes
        or any(keyword.arg == option for keyword in index.of(nodes.Keyword))
        or any(isinstance(one.value, str) and option in one.value.lower() for one in index.of(nodes.Const))
    )


def _breaks(source: Source, region: Region) -> Iterator[_Break]:
    """Yield what breaks the graph in the function of *region* itself, in the order of the text."""
    function = region.function.node
    index = source.names.index_of(function)
    found = [one for call in index.calls_in.get(function, ()) if (one := _of_call(source, call)) is not None]
    found += [
        _Break(node, *_BRANCHES[type(node)])
        for node, test in tests_of(function, index)
        if depends_on_tensor(source, test) and not may_be_skipped(source, test, function)
    ]
    found += [
        _Break(node, f"picking from '{text_of(node.value)}' by a mask", "use 'torch.where', or multiply", True)
        for node in index.within(function, nodes.Subscript)
        if function_of(node) is function and _picks_by_mask(source, node)
    ]
    for one in sorted(found, key=lambda one: position(one.node)):
        if not may_be_skipped(source, one.node, function):
            yield one


def _of_call(source: Source, call: nodes.Call) -> _Break | None:
    """Return how *call* breaks the graph."""
    name = last_name(call.func)
    owner = call.func.expr if isinstance(call.func, nodes.Attribute) else None
    if owner is not None and (found := _of_method(source, call, str(name), owner)) is not None:
        return found
    symbol = source.names.symbol(call.func)
    if symbol is None:
        is_log = name in _LOGGING and owner is not None and _is_logger(source, owner)
        return _Break(call, f"'{text_of(call.func)}'", _OUTSIDE) if is_log else None
    return _of_symbol(source, call, symbol)


def _of_method(source: Source, call: nodes.Call, name: str, owner: nodes.NodeNG) -> _Break | None:
    if name == "item" and not call.args and may_be_tensor(source, owner):
        return _Break(call, "'.item()'", "keep the value a tensor", True, True)
    if name == "tolist" and not call.args and may_be_tensor(source, owner):
        return _Break(call, "'.tolist()'", "keep the values a tensor", True, True)
    may_be = may_be_tensor if name in _SELECTS else is_tensor
    if name in _SIZE_DEPENDS_ON_DATA and may_be(source, owner):
        return _Break(call, f"'.{name}()'", "its size depends on the data", True)
    return None


def _of_symbol(source: Source, call: nodes.Call, symbol: str) -> _Break | None:
    """Return how *call* of *symbol*, a function from outside the project, breaks the graph."""
    if symbol in _BREAKING:
        return _Break(call, f"'{symbol}'", _OUTSIDE)
    if symbol in _RANDOM or symbol in _NUMPY_RANDOM or symbol in _NUMPY_SCALAR and _makes_number(symbol, call):
        return _Break(call, f"'{symbol}'", "use torch's generator: 'torch.rand(())'")
    if symbol in _NUMBERS and call.args and is_tensor(source, call.args[0]):
        return _Break(call, f"'{symbol}' of a tensor", "keep the value a tensor", True, True)
    if symbol in _MATH and call.args and is_tensor(source, call.args[0]):
        return _Break(call, f"'{symbol}' of a tensor", "use torch's operations", is_scalar=True)
    if symbol in _NUMPY and any(is_tensor(source, given) for given in call.args):
        return _Break(call, f"'{symbol}'", "use torch's operations", True)
    if symbol in _ANSWERS:
        return _Break(call, f"'{symbol}'", "compare outside of the compiled function")
    owner, _, name = symbol.rpartition(".")
    if owner == "torch" and (name in _SIZE_DEPENDS_ON_DATA or name == "where" and len(call.args) == 1):
        return _Break(call, f"'{symbol}'", "its size depends on the data", True)
    return None


def _makes_number(symbol: str, call: nodes.Call) -> bool:
    if any(keyword.arg in ("size", None) for keyword in call.keywords or ()):
        return False
    return not call.args or symbol in ("numpy.random.uniform", "numpy.random.normal", "numpy.random.randint") and (
        len(call.args) < 3
    )


def _is_logger(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is a variable or attribute set to ``logging.getLogger(…)``."""
    found: list[nodes.NodeNG] = []
    if isinstance(node, nodes.Name):
        found = scopes.definitions(node, node.name)
    elif isinstance(node, nodes.Attribute) and (owner := class_of(node)) is not None:
        found = list(source.names.stores(owner, node.attrname))
    return any(
        isinstance(one.parent, nodes.Assign)
        and isinstance(one.parent.value, nodes.Call)
        and source.names.symbol(one.parent.value.func) == "logging.getLogger"
        for one in found
    )


def _picks_by_mask(source: Source, node: nodes.Subscript) -> bool:
    """Return whether *node* reads the items of a tensor where a mask of tests is true."""
    if node.ctx.name != "Load" or not may_be_tensor(source, node.value):
        return False
    return _is_mask(source, node.slice) or _is_compared_itself(node)


def _is_compared_itself(node: nodes.Subscript) -> bool:
    """Return whether *node* is of the form ``x[x > 0]``, which is no use but for tensors and arrays."""
    test = node.slice
    if not isinstance(test, nodes.Compare) or test.ops[0][0] in ("is", "is not", "in", "not in"):
        return False
    return dotted(node.value) is not None and dotted(test.left) == dotted(node.value)


def _is_mask(source: Source, node: nodes.NodeNG) -> bool:
    match node:
        case nodes.Compare():
            return is_tensor(source, node)
        case nodes.UnaryOp(op="~"):
            return _is_mask(source, node.operand)
        case nodes.BinOp(op="&" | "|"):
            return _is_mask(source, node.left) or _is_mask(source, node.right)
        case nodes.Call(func=nodes.Attribute(attrname=name)):
            return name in _MASKS and is_tensor(source, node)
        case nodes.Name():
            found = scopes.definitions(node, node.name)
            return bool(found) and all(
                isinstance(one.parent, nodes.Assign)
                and not isinstance(one.parent.value, nodes.Name)
                and _is_mask(source, one.parent.value)
                for one in found
            )
    return False
