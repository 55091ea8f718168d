"""What torch's own tables say of each op: which it changes, aliases, and keeps for backward.

``native_functions.yaml`` marks aliases and mutation in its signatures, ``derivatives.yaml`` holds the
backward formulas; both come packaged with torchgen.
"""
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ALIASES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "clip": "clamp",
    "concat": "cat",
    "concatenate": "cat",
    "divide": "div",
    "fix": "trunc",
    "greater": "gt",
    "greater_equal": "ge",
    "less": "lt",
    "less_equal": "le",
    "linalg_matmul": "matmul",
    "multiply": "mul",
    "negative": "neg",
    "not_equal": "ne",
    "special_expm1": "expm1",
    "special_erf": "erf",
    "special_erfc": "erfc",
    "special_exp2": "exp2",
    "special_expit": "sigmoid",
    "special_log1p": "log1p",
    "special_log_softmax": "log_softmax",
    "special_logit": "logit",
    "special_logsumexp": "logsumexp",
    "special_sinc": "sinc",
    "special_softmax": "softmax",
    "subtract": "sub",
    "true_divide": "div",
}
"""Second names: torch dispatches them to another op that has the formula."""

COMPOSITES: dict[str, dict[str, str]] = {
    "adaptive_avg_pool1d": {"self": ""},
    "adaptive_avg_pool2d": {"self": ""},
    "adaptive_avg_pool3d": {"self": ""},
    "alpha_dropout": {"input": ""},
    "batch_norm": {"input": "input weight", "weight": "input", "bias": ""},
    "binary_cross_entropy": {"self": "self target weight", "target": "self target weight"},
    "bilinear": {"input1": "input2 weight", "input2": "input1 weight", "weight": "input1 input2", "bias": ""},
    "broadcast_to": {"self": ""},
    "chunk": {"self": ""},
    "column_stack": {"tensors": ""},
    "contiguous": {"self": ""},
    "conv1d": {"input": "weight", "weight": "input", "bias": ""},
    "conv2d": {"input": "weight", "weight": "input", "bias": ""},
    "conv3d": {"input": "weight", "weight": "input", "bias": ""},
    "conv_transpose1d": {"input": "weight", "weight": "input", "bias": ""},
    "conv_transpose2d": {"input": "weight", "weight": "input", "bias": ""},
    "conv_transpose3d": {"input": "weight", "weight": "input", "bias": ""},
    "cross_entropy": {"input": "target weight"},
    "cross_entropy_loss": {"self": "target weight"},
    "diff": {"self": ""},
    "dropout": {"input": ""},
    "dropout1d": {"input": ""},
    "dropout2d": {"input": ""},
    "dropout3d": {"input": ""},
    "dstack": {"tensors": ""},
    "expand_as": {"self": ""},
    "feature_alpha_dropout": {"input": ""},
    "feature_dropout": {"input": ""},
    "flatten": {"self": ""},
    "group_norm": {"input": "input weight", "weight": "input", "bias": ""},
    "hstack": {"tensors": ""},
    "inner": {"self": "other", "other": "self"},
    "instance_norm": {"input": "input weight", "weight": "input", "bias": ""},
    "kl_div": {"input": "target", "target": "input target"},
    "l1_loss": {"self": "", "target": ""},
    "layer_norm": {"input": "input weight", "weight": "input weight", "bias": ""},
    "log_softmax": {"self": "result"},
    "matmul": {"self": "other", "other": "self"},
    "max_pool1d": {"self": "self"},
    "max_pool2d": {"self": "self"},
    "max_pool3d": {"self": "self"},
    "mean": {"self": ""},
    "meshgrid": {"tensors": ""},
    "moveaxis": {"self": ""},
    "movedim": {"self": ""},
    "narrow": {"self": ""},
    "nll_loss": {"self": "target weight"},
    "norm": {"self": "self result"},
    "outer": {"self": "vec2", "vec2": "self"},
    "pairwise_distance": {"x1": "", "x2": ""},
    "ravel": {"self": ""},
    "relu6": {"self": ""},
    "reshape": {"self": ""},
    "reshape_as": {"self": ""},
    "rms_norm": {"input": "input weight", "weight": "input"},
    "scaled_dot_product_attention": {
        "query": "query key value",
        "key": "query key value",
        "value": "query key value",
    },
    "silu": {"self": "self"},
    "softmax": {"self": "result"},
    "softmin": {"input": "result"},
    "square": {"self": "self"},
    "std": {"self": "self result"},
    "swapaxes": {"self": ""},
    "swapdims": {"self": ""},
    "t": {"self": ""},
    "tensor_split": {"self": ""},
    "to": {"self": ""},
    "type_as": {"self": ""},
    "unflatten": {"self": ""},
    "var": {"self": "self"},
    "view_as": {"self": ""},
    "vstack": {"tensors": ""},
}
"""Ops that torch composes of others, so that no formula bears their name: the names that each input's
gradient reads. ``tests/witness/test_torch_model.py`` runs every one of them."""

_METADATA = (
    "sym_sizes sizes sym_size size sym_numel numel options scalar_type dim ndimension sym_strides strides "
    "layout device is_conj is_sparse is_sparse_csr sym_blocksize sym_storage_offset"
).split()
_WRAPPERS = "to_args_sizes to_args_sizes_symint to_args_scalartypes TensorGeometry zeros_like".split()
_WORD = re.compile(r"[A-Za-z_]\w*")


def _tables() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    import torchgen
    import yaml  # type: ignore[import-untyped]

    packaged = Path(torchgen.__file__).parent / "packaged"
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
    from torchgen.model import FunctionSchema

    functions, derivatives = _tables()
    formulas: dict[str, dict[str, Any]] = {}
    for entry in derivatives:
        flags = entry.get("output_differentiability")
        formula = entry.get("dispatch", {}).get("Default", entry)
        formulas[entry["name"].partition("(")[0]] = {"output_differentiability": flags, **formula}
    for function in functions:
        schema = FunctionSchema.parse(function["func"])
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
        entry = formulas.get(full) or formulas.get(own)
        annotation = next((each.annotation for each in flat if each.annotation), None)
        tensors = [each.name for each in flat if "Tensor" in str(each.type)]
        record: dict[str, Any] = {"overload": full.partition(".")[2], "arguments": names, "tensors": tensors}
        if results:
            record["result"] = results[0]
        if annotation and annotation.is_write:
            record["in_place"] = True
        elif annotation and schema.returns:
            record["view"] = True
        if entry is not None:
            record["gradients"] = _gradients(entry, names, tensors + results[:1])
            flags = entry.get("output_differentiability")
            if flags and not any(flags):
                record["gradients"], record["differentiable"] = {}, False
            if not record["gradients"]:
                record["differentiable"] = False
        yield base, record


def _completed(found: dict[str, list[dict[str, Any]]]) -> None:
    """Give formulas to the ops that have none of their own."""
    for name, gradients in COMPOSITES.items():
        given = {key: value.split() for key, value in gradients.items()}
        for record in found.get(name, []) + found.get(f"{name}_", []):
            record["gradients"] = given
        if name not in found:
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
            by_overload = {record["overload"]: record for record in found.get(real, [])}
            for record in found.get(alias, []):
                twin = by_overload.get(record["overload"]) or next(iter(by_overload.values()), {})
                for key in ("gradients", "differentiable"):
                    if key in twin:
                        record.setdefault(key, twin[key])


def generated() -> str:
    """Return the text of ``derivatives.json``: one line for each op."""
    import torch

    found: dict[str, list[dict[str, Any]]] = {}
    for base, record in _records():
        found.setdefault(base, []).append(record)
    _completed(found)
    lines = [f"  {json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found)]
    version = torch.__version__.partition("+")[0]
    return f'{{"torch": "{version}", "ops": {{\n' + ",\n".join(lines) + "\n}}\n"
