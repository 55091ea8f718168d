from torch import Tensor

class CausalBias(Tensor):
    def __init__(self, variant: CausalVariant, seq_len_q: int, seq_len_kv: int) -> None: ...

class CausalVariant:
    UPPER_LEFT: CausalVariant
    LOWER_RIGHT: CausalVariant

def causal_lower_right(*size) -> CausalBias: ...
def causal_upper_left(*size) -> CausalBias: ...
