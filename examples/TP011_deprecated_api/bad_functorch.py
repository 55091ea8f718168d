import torch
from functorch import make_functional, vmap  # expect: TP011:1, TP011:1


def per_sample_losses(net: torch.nn.Module, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    function, params = make_functional(net)

    def one(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return (function(params, x) - y).pow(2).mean()

    return vmap(one)(inputs, targets)


def select(values: torch.Tensor, threshold: float) -> torch.Tensor:
    mask = (values > threshold).byte()
    return torch.where(mask, values, 0 * values) + values[mask].sum()  # expect: TP011:12, TP011:52
