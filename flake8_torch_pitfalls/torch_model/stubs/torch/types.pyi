from typing import Any

from torch import Size as Size, SymBool as SymBool, SymFloat as SymFloat, SymInt as SymInt, Tensor as Tensor
from torch.storage import Storage as Storage

class DispatchKey:
    name: Any
    value: Any
