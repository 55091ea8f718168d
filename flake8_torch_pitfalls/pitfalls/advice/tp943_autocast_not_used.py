"""A network of convolutions, recurrent layers or attention trains on a GPU in full float32.

## What happens
GPUs with tensor cores multiply matrices of bfloat16 or float16 several times as fast as float32, and the activations
take half the memory. `torch.autocast` chooses the type for every operation; the weights stay float32. Whether it pays
depends on the GPU and the sizes: hence advice.

## What to write
```python
with torch.autocast("cuda", dtype=torch.bfloat16):
    loss = criterion(model(x), y)
loss.backward()
```
With float16 a `torch.amp.GradScaler("cuda")` belongs to it.

## Silent
- Files with `autocast`, a `GradScaler`, `half`, `bfloat16` or `float64`, or a framework that does it for them.
- Small networks of linear layers, for which it brings little, and networks whose layers are not in view.
- Programs that never move the model to a GPU.

## Known limits
A file that turns autocast on for another is not seen.

## Sources
- "Automatic Mixed Precision package - torch.amp" in PyTorch's documentation. The gain cannot be seen without a GPU.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis import layers
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.training import Step, modules_on_gpu, training_steps
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward"}

_CHOOSES = frozenset(
    "autocast GradScaler half bfloat16 float16 float64 double amp set_default_dtype set_float32_matmul_precision "
    "allow_tf32 fp16 bf16 accelerator fabric deepspeed manual_backward mixed_precision set_detect_anomaly".split()
)


def check(source: Source) -> Iterator[Finding]:
    """Yield the first training loop of a file that trains a large network on a GPU in float32."""
    step = _first_step(source)
    if step is None or _chooses_precision(source):
        return
    for call in modules_on_gpu(source):
        modules = source.kinds.instances(call.func.expr, "module")
        if layers.any_has(source.names, modules, layers.Trait.TENSOR_CORES):
            yield Finding(step.loop, "the loop trains in float32; try 'torch.autocast' around the forward pass")
            return


def _first_step(source: Source) -> Step | None:
    return next(iter(training_steps(source)), None) if modules_on_gpu(source) else None


def _chooses_precision(source: Source) -> bool:
    """Return whether the file says anything of another type than float32, or leaves that to a framework."""
    index = source.index
    places = (index.attributes, index.calls, index.reads, source.module.locals)
    return any(name in place for name in _CHOOSES for place in places)
