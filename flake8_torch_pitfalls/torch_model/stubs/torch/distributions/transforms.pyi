from collections.abc import Callable

from torch import Tensor
from torch.distributions import AbsTransform as AbsTransform, AffineTransform as AffineTransform, CatTransform as CatTransform, ComposeTransform as ComposeTransform, CorrCholeskyTransform as CorrCholeskyTransform, CumulativeDistributionTransform as CumulativeDistributionTransform, Distribution as Distribution, ExpTransform as ExpTransform, IndependentTransform as IndependentTransform, LowerCholeskyTransform as LowerCholeskyTransform, PositiveDefiniteTransform as PositiveDefiniteTransform, PowerTransform as PowerTransform, ReshapeTransform as ReshapeTransform, SigmoidTransform as SigmoidTransform, SoftmaxTransform as SoftmaxTransform, SoftplusTransform as SoftplusTransform, StackTransform as StackTransform, StickBreakingTransform as StickBreakingTransform, TanhTransform as TanhTransform, Transform as Transform
from torch.nn.functional import softplus as softplus

identity_transform: ComposeTransform

class lazy_property:
    def __init__(self, wrapped: Callable) -> None: ...

def broadcast_all(*values: Tensor | int | float | bool) -> tuple[Tensor, ...]: ...
def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor: ...
def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor: ...
