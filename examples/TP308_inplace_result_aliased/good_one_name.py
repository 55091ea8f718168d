import torch
from torch import nn


class Counter:
    def add_(self, other: int) -> "Counter":
        return self


def fresh(x: torch.Tensor, noise: torch.Tensor) -> torch.Tensor:
    start = torch.empty(3).normal_()
    noisy = x.clone().add_(noise)
    halved = x.mul(2).div_(4)
    x = x.add_(1)
    x.add_(1)
    return start + noisy + halved + x


def not_read_again(x: torch.Tensor) -> torch.Tensor:
    scaled = x.mul_(2)
    return scaled + 1


def new_value(x: torch.Tensor, more: torch.Tensor) -> torch.Tensor:
    scaled = x.mul_(2)
    x = more
    return scaled + x


def either(x: torch.Tensor, double: bool) -> torch.Tensor:
    if double:
        y = x.mul_(2)
    else:
        y = x + 1
    return y


def looked_at(x: torch.Tensor) -> torch.Tensor:
    y = x.add_(1)
    print(x, y, y is x)
    rows = x.size(0) + x.shape[1] + len(x)
    return y / rows


def second_name_not_used(x: torch.Tensor) -> torch.Tensor:
    _ = x.relu_()
    return x * 2


def gradient_on(x: torch.Tensor, net: nn.Module) -> torch.Tensor:
    leaf = x.requires_grad_()
    net(leaf).sum().backward()
    return x.grad


def tally(counter: Counter) -> tuple[Counter, Counter]:
    after = counter.add_(1)
    return (after, counter.add_(2))


def sums(numbers: list[Counter]) -> None:
    total = Counter()
    both = total.add_(3)
    print([both, total, numbers])
