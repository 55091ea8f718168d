"""A `GradScaler` scales losses that are computed in bfloat16, which needs no scaling.

## What happens
The scaler is for float16, whose smallest numbers are so large that gradients vanish. bfloat16 has the range of float32:
nothing vanishes, and scaling saves nothing. It costs a look at every gradient and a synchronization in each step, and
a step that is skipped when gradients overflow for another reason hides that reason.

## What to write
```python
with torch.autocast("cuda", dtype=torch.bfloat16):
    loss = criterion(model(x), y)
loss.backward()
optimizer.step()
```
Where the dtype is an option: `GradScaler("cuda", enabled=dtype == torch.float16)`.

## Silent
- A scaler that is switched off, or that the program switches: `enabled=use_fp16`.
- Any autocast in the file whose dtype is float16, or not known.
- A scaler without an autocast in the same file.

## Known limits
Autocasts of other files are not looked at.

## Sources
- "Gradient Scaling" in "Automatic Mixed Precision package", PyTorch's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.autocasts import BFLOAT16, autocasts, dtype_of, is_on
from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.finding import Finding

WORDS = {"GradScaler"}

_SCALERS = ("torch.amp.GradScaler", "torch.cuda.amp.GradScaler")


def check(source: Source) -> Iterator[Finding]:
    """Yield the scalers of a file all of whose autocasts compute in bfloat16."""
    if {dtype_of(source, call) for call in autocasts(source)} != {BFLOAT16}:
        return
    for scaler in torch_calls(source, *_SCALERS):
        if is_on(source, scaler):
            yield Finding(scaler.node, "autocast computes in bfloat16, whose gradients need no GradScaler; drop it")
