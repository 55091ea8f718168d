"""A hand-written optimizer from the days when the number came first."""
import torch
from torch.optim import Optimizer


class SlowAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["mean"] = torch.zeros_like(p)
                    state["square"] = torch.zeros_like(p)
                mean, square = state["mean"], state["square"]
                mean.mul_(beta1).add_(1 - beta1, p.grad)  # expect: TP011:17
                square.mul_(beta2).addcmul_(1 - beta2, p.grad, p.grad)  # expect: TP011:17
                p.addcdiv_(-group["lr"], mean, square.sqrt().add_(group["eps"]))  # expect: TP011:17


def blend(old: torch.Tensor, new: torch.Tensor, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    old = torch.add(old, 0.5, new)  # expect: TP011:11
    return torch.addmm(0.5, old, left, right)  # expect: TP011:12
