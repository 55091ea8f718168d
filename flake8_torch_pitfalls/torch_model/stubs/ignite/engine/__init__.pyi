from collections.abc import Callable
from typing import Any

from torch.nn import Module
from torch.optim import Optimizer

class Events:
    COMPLETED: Events
    EPOCH_COMPLETED: Events
    EPOCH_STARTED: Events
    ITERATION_COMPLETED: Events
    ITERATION_STARTED: Events
    STARTED: Events
    def __call__(self, event_filter: Any = None, every: int | None = None, once: Any = None, before: int | None = None, after: int | None = None) -> Any: ...

class State:
    batch: Any
    epoch: int
    iteration: int
    metrics: dict[str, Any]
    output: Any

class Engine:
    state: State
    def __init__(self, process_function: Callable) -> None: ...
    def add_event_handler(self, event_name: Any, handler: Callable, *args: Any, **kwargs: Any) -> Any: ...
    def on(self, event_name: Any, *args: Any, **kwargs: Any) -> Callable: ...
    def run(self, data: Any = None, max_epochs: int | None = None, max_iters: int | None = None, epoch_length: int | None = None) -> State: ...
    def terminate(self) -> None: ...

def create_supervised_evaluator(model: Module, metrics: Any = None, device: Any = None, non_blocking: bool = False, *args: Any, **kwargs: Any) -> Engine: ...
def create_supervised_trainer(model: Module, optimizer: Optimizer, loss_fn: Any, device: Any = None, non_blocking: bool = False, *args: Any, **kwargs: Any) -> Engine: ...
