"""A value is read back from the GPU in every training step, and the CPU waits for the device each time.

## What happens
The CPU runs ahead of the GPU and queues its work. `loss.item()`, `x.cpu()`, `x.tolist()` and `print(loss)` wait until
everything queued so far is done; then the GPU has nothing to do until the CPU has queued more.

## What to write
Collect on the device and read now and then: `running += loss.detach()` in the step, `running.item()` after the epoch
or every hundred steps.

## Silent
- Reads under a condition: `if step % 100 == 0:`.
- Programs that do not move their model to a GPU, and values that are not known to be tensors.
- Loops without a backward pass.

## Known limits
The first such read of a loop is reported.
A helper that reads the loss is looked at only where it steps backward itself.

## Sources
- "Performance Tuning Guide", PyTorch tutorials: "Avoid unnecessary CPU-GPU synchronization". It cannot be seen
  without a GPU.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.training import Step, modules_on_gpu, training_steps
from flake8_torch_pitfalls.analysis.tree import ancestors, dotted, last_name, position
from flake8_torch_pitfalls.finding import Finding

WORDS = {"item", "cpu", "tolist", "print"}

_READS = ("item", "cpu", "tolist")
_BRANCHES = (nodes.If, nodes.IfExp, nodes.BoolOp, nodes.ExceptHandler, nodes.For, nodes.While, nodes.Lambda)


def check(source: Source) -> Iterator[Finding]:
    """Yield the first read of each training step on a GPU."""
    names = [*_READS, "print"]
    reads = sorted((call for name in names for call in source.index.calls.get(name, ())), key=position)
    if not reads or not modules_on_gpu(source):
        return
    reported = set()
    for step in training_steps(source):
        read = next((read for read in reads if _is_in_step(read, step) and _reads_tensor(source, read)), None)
        if read is not None and read not in reported:
            reported.add(read)
            yield Finding(read, f"{_shown(read)} waits for the device in every step; read it every n steps")


def _shown(read: nodes.Call) -> str:
    name = dotted(read.func) or last_name(read.func)
    return f"'{name}()'"


def _is_in_step(read: nodes.Call, step: Step) -> bool:
    """Return whether each pass of *step* runs *read*."""
    for above in ancestors(read):
        if above is step.body:
            return True
        if isinstance(above, _BRANCHES) and not above.parent_of(step.backward):
            return False
    return False


def _reads_tensor(source: Source, read: nodes.Call) -> bool:
    if isinstance(read.func, nodes.Attribute):
        return read.func.attrname in _READS and source.kinds.of(read.func.expr, "tensor") is True
    return any(source.kinds.of(value, "tensor") is True for given in read.args for value in _printed(given))


def _printed(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the variables whose value ``print(node)`` shows: *node*, or those of an f-string."""
    match node:
        case nodes.Name() | nodes.Attribute():
            yield node
        case nodes.JoinedStr(values=parts):
            for part in parts:
                if isinstance(part, nodes.FormattedValue):
                    yield from _printed(part.value)
