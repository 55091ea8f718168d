"""Attention adds a float mask to the scores: one of zeros and ones masks nothing.

## What happens
`nn.MultiheadAttention`, the layers of `nn.Transformer` and `F.scaled_dot_product_attention` take two kinds of masks.
A boolean one forbids places. A float one is *added* to the scores before the softmax, so that only `-inf` (or a
very negative number) forbids anything. A mask of 0.0 and 1.0, such as `torch.tril(torch.ones(t, t))` or
`(ids != pad).float()`, raises some scores by 1: every step still sees every other, the causal model sees the future,
and padding is attended to. Nothing raises.

An integer mask (`.long()`, `.byte()`) raises: `only bool and floating types … are supported`.

## What to write
A boolean mask. Mind that the two sides mean the opposite by `True`: for the modules it is what may *not* be
attended to, for `F.scaled_dot_product_attention` what may.

```python
future = torch.triu(torch.ones(t, t, dtype=torch.bool), diagonal=1)
out, _ = attention(x, x, x, attn_mask=future, key_padding_mask=ids == pad)
out = F.scaled_dot_product_attention(q, k, v, attn_mask=~future)
```

## Silent
- Boolean masks.
- Float masks with `-inf` or a large negative number, `masked_fill`, `(1 - mask) * -1e9`, the logarithm of a mask, and
  `nn.Transformer.generate_square_subsequent_mask`.
- Masks that are all zeros, or all ones, which change nothing.
- Masks of which the text does not show how they are made, and attention of the project or of other libraries. Only
  a parameter that is called a mask and turned into floats to be the padding, `key_padding_mask=mask.float()`, is
  taken for zeros and ones.

## Known limits
Masks that other files pass to the module are not followed. That a boolean mask means the opposite of what the function
takes it for is not seen.

## Sources
- `torch.nn.MultiheadAttention`, `torch.nn.TransformerEncoder` and `torch.nn.functional.scaled_dot_product_attention` in
  PyTorch's documentation: "For a float mask, the mask values will be added to the attention weight".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.masks import Kind, kind_of
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import argument, constant, last_name, text_of
from flake8_torch_pitfalls.analysis.values import Instance, Symbol, Value
from flake8_torch_pitfalls.finding import Finding

FUNCTION = "torch.nn.functional.scaled_dot_product_attention"
ENCODER = {"src_mask": 1, "mask": 1, "src_key_padding_mask": 2}
DECODER = {"tgt_mask": 2, "memory_mask": 3, "tgt_key_padding_mask": 4, "memory_key_padding_mask": 5}
MASKS = {
    FUNCTION: {"attn_mask": 3},
    "torch.nn.MultiheadAttention": {"key_padding_mask": 3, "attn_mask": 5},
    "torch.nn.TransformerEncoder": ENCODER,
    "torch.nn.TransformerEncoderLayer": ENCODER,
    "torch.nn.TransformerDecoder": DECODER,
    "torch.nn.TransformerDecoderLayer": DECODER,
    "torch.nn.Transformer": {
        "src_mask": 2, "tgt_mask": 3, "memory_mask": 4,
        "src_key_padding_mask": 5, "tgt_key_padding_mask": 6, "memory_key_padding_mask": 7,
    },
}  # fmt: skip
"""The masks that each takes, with their positions."""
WORDS = {name.rpartition(".")[2] for name in MASKS}
NAMES_MASK = re.compile(r"mask|causal|tri[lu]|future|subsequent|pad", re.IGNORECASE)
KEYWORDS = frozenset(name for masks in MASKS.values() for name in masks)


def check(source: Source) -> Iterator[Finding]:
    """Yield the masks that attention does not take for masks."""
    for call in source.index.of(nodes.Call):
        if _may_mask(call):
            for name, mask in _masks(source, call):
                what = _fault(kind_of(source.names, mask), name, text_of(call.func))
                if what is not None:
                    yield Finding(mask, f"'{text_of(mask)}' {what}; give a bool mask")


def _fault(kind: Kind | None, parameter: str, attention: str) -> str | None:
    """Return what becomes of a mask of *kind* that is given for *parameter*, None if nothing is wrong with it."""
    match kind:
        case Kind.MIXED:
            return "holds 0.0 and 1.0, which are added to the scores and mask nothing"
        case Kind.CAST if "padding" in parameter:  # nobody casts what already holds -inf
            return "is a mask as numbers, which are added to the scores and mask nothing"
        case Kind.INTEGER:
            return f"holds integers, for which '{attention}' raises"
    return None


def _may_mask(call: nodes.Call) -> bool:
    """Return whether *call* looks as if it passed a mask, to spare most calls the question what they call."""
    if any(keyword.arg in KEYWORDS for keyword in call.keywords):
        return True
    return last_name(call.func) == "scaled_dot_product_attention" or any(
        isinstance(arg, (nodes.Call, nodes.BinOp)) or NAMES_MASK.search(last_name(arg) or "") for arg in call.args[1:]
    )


def _masks(source: Source, call: nodes.Call) -> Iterator[tuple[str, nodes.NodeNG]]:
    """Yield the masks that *call* gives to torch's attention, each with its parameter."""
    found = {_attention(source, value) for value in source.names.known(call.func)}
    taken = MASKS.get(found.pop() or "", {}) if len(found) == 1 else {}
    for name, index in taken.items():
        mask = argument(call, index, name)
        if mask is not None and constant(mask) is not None:
            yield name, mask


def _attention(source: Source, value: Value) -> str | None:
    """Return which of torch's attentions calling *value* runs."""
    match value:
        case Symbol(name):
            return name
        case Instance(str() as cls):
            return cls
        case Instance(nodes.ClassDef() as cls) if source.names.method(cls, "forward") is None:
            return next((base for base in source.names.mro(cls) if base in MASKS), None)
    return None
