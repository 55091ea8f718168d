"""TP919: one pass under vmap gives what the loop gives, with one backward instead of many."""
from __future__ import annotations

import torch
from torch import nn
from torch.func import functional_call, grad, vmap


def test_vmap_gives_the_gradients_of_the_loop_in_one_pass() -> None:
    torch.manual_seed(0)
    net, x, y = nn.Linear(3, 2), torch.rand(5, 3), torch.tensor([0, 1, 0, 1, 1])
    passes = []
    net.weight.register_hook(lambda gradient: passes.append(1))
    looped = [
        torch.autograd.grad(nn.functional.cross_entropy(net(x[i : i + 1]), y[i : i + 1]), net.weight)[0]
        for i in range(len(x))
    ]

    def loss_of(parameters: dict[str, torch.Tensor], sample: torch.Tensor, label: torch.Tensor) -> torch.Tensor:
        passes.append(0)
        return nn.functional.cross_entropy(functional_call(net, parameters, (sample[None],)), label[None])

    parameters = {name: value.detach() for name, value in net.named_parameters()}
    together = vmap(grad(loss_of), in_dims=(None, 0, 0))(parameters, x, y)
    assert torch.allclose(together["weight"], torch.stack(looped), atol=1e-6)
    assert passes.count(1) == len(x) and passes.count(0) == 1
