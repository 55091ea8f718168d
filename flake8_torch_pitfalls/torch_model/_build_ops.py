"""What torch's own tables say of each op: which it changes, aliases, and keeps for backward.

``native_functions.yaml`` marks aliases and mutation in its signatures, ``derivatives.yaml`` holds the
backward formulas; both come packaged with torchgen.
"""
from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flake8_torch_pitfalls.torch_model._composites import ALIASES, COMPOSITES, CONSTANT

_METADATA = (
    "sym_sizes sizes sym_size size sym_numel numel options scalar_type dim ndimension sym_strides strides "
    "layout device is_conj is_sparse is_sparse_csr sym_blocksize sym_storage_offset"
).split()
_WRAPPERS = "to_args_sizes to_args_sizes_symint to_args_scalartypes TensorGeometry zeros_like".split()
_WORD = re.compile(r"[A-Za-z_]\w*")


def _tables() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    yaml = importlib.import_module("yaml")
    packaged = Path(str(importlib.import_module("torchgen").__file__)).parent / "packaged"
    functions = (packaged / "ATen/native/native_functions.yaml").read_text(encoding="utf-8")
    derivatives = (packaged / "autograd/derivatives.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(functions), yaml.safe_load(derivatives)


def reads(formula: str, name: str) -> bool:
    """Return whether a backward formula needs the values of *name*, not only its size or dtype."""
    asked = rf"\b{name}(?:\.|->)(?:{'|'.join(_METADATA)})\("
    wrapped = rf"\b(?:{'|'.join(_WRAPPERS)})\({name}\)"
    return name in _WORD.findall(re.sub(f"{asked}|{wrapped}", "", formula))


def _gradients(entry: dict[str, Any], arguments: list[str], readable: list[str]) -> dict[str, list[str]]:
    """Return, for each differentiable argument, which of the *readable* names its gradient reads."""
    formulas = {
        each.strip(): str(formula)
        for key, formula in entry.items()
        for each in key.split(",")
        if each.strip() in arguments
    }
    return {
        name: [each for each in readable if reads(formula, each)]
        for name, formula in formulas.items()
        if "non_differentiable" not in formula and "not_implemented" not in formula
    }


def _records() -> Iterator[tuple[str, dict[str, Any]]]:
    parse = importlib.import_module("torchgen.model").FunctionSchema.parse
    functions, derivatives = _tables()
    formulas: dict[str, dict[str, Any]] = {}
    for entry in derivatives:
        flags = entry.get("output_differentiability")
        default = entry.get("dispatch", {}).get("Default", entry)
        formulas[entry["name"].partition("(")[0]] = {"output_differentiability": flags, **default}
    for function in functions:
        schema = parse(function["func"])
        base = str(schema.name.name)
        if base.startswith("_") or schema.arguments.out or base.endswith(("_backward", "_copy")):
            continue
        flat = [*schema.arguments.flat_positional, *schema.arguments.flat_kwarg_only]
        names = [argument.name for argument in flat]
        results = [each.name or f"result{i}" for i, each in enumerate(schema.returns)]
        if len(results) == 1:
            results = ["result"]
        full = str(schema.name)
        own = full.replace(base, base.rstrip("_"), 1) if base.endswith("_") else full
        formula = formulas.get(full) or formulas.get(own)
        annotation = next((each.annotation for each in flat if each.annotation), None)
        tensors = [each.name for each in flat if "Tensor" in str(each.type)]
        record: dict[str, Any] = {"overload": full.partition(".")[2], "arguments": names, "tensors": tensors}
        if results:
            record["result"] = results[0]
        if annotation and annotation.is_write:
            record["in_place"] = True
        elif annotation and schema.returns:
            record["view"] = True
        if formula is not None:
            record["gradients"] = _gradients(formula, names, tensors + results[:1])
            flags = formula.get("output_differentiability")
            if flags and not any(flags):
                record["gradients"] = {}
        elif not tensors or base.rstrip("_") in CONSTANT:
            record["gradients"] = {}
        yield base, record


def _completed(found: dict[str, list[dict[str, Any]]]) -> None:
    """Give formulas to the ops that have none of their own."""
    for name, gradients in COMPOSITES.items():
        given = {key: value.split() for key, value in gradients.items()}
        base, _, overload = name.partition(".")
        for record in found.get(base, []) + found.get(f"{base}_", []):
            if not overload or record["overload"] == overload:
                record["gradients"] = given
        if base not in found:
            arguments = list(dict.fromkeys([*given, *(each for value in given.values() for each in value)]))
            arguments = [each for each in arguments if each != "result"]
            found[name] = [
                {
                    "overload": "",
                    "arguments": arguments,
                    "tensors": arguments,
                    "result": "result",
                    "gradients": given,
                }
            ]
    for name, target in ALIASES.items():
        for alias, real in ((name, target), (f"{name}_", f"{target}_")):
            for record in found.get(alias, []):
                _take_over(record, found.get(real, []))
    for name, records in found.items():
        for record in records:
            _take_over(record, records + found.get(name.rstrip("_"), []))


def _take_over(record: dict[str, Any], candidates: list[dict[str, Any]]) -> None:
    """Give a record without a formula that of an overload with the same tensors."""
    for other in candidates:
        if "gradients" in other and other["tensors"] == record["tensors"]:
            record.setdefault("gradients", other["gradients"])


def generated() -> str:
    """Return the text of ``derivatives.json``: one line for each op."""
    found: dict[str, list[dict[str, Any]]] = {}
    for base, record in _records():
        found.setdefault(base, []).append(record)
    _completed(found)
    lines = [f"  {json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found)]
    version = importlib.import_module("torch").__version__.partition("+")[0]
    return f'{{"torch": "{version}", "ops": {{\n' + ",\n".join(lines) + "\n}}\n"
