from typing import Any

class TensorboardEventHandler:
    def __init__(self, writer: Any) -> None: ...
    def __call__(self, event: Event) -> None: ...

class Aggregation:
    name: Any
    value: Any

class Event:
    name: Any
    timestamp: Any
    data: Any

class EventHandlerHandle:
    def __init__(self, *args, **kwargs) -> None: ...

class Stat:
    def add(self, *args: Any, **kwargs: Any): ...
    def get(self, *args: Any, **kwargs: Any): ...
    name: Any
    count: Any

class data_value_t:
    def __init__(self, *args, **kwargs) -> None: ...

def log_event(*args: Any, **kwargs: Any): ...
def register_event_handler(*args: Any, **kwargs: Any): ...
def unregister_event_handler(*args: Any, **kwargs: Any): ...
