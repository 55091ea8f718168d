import functools

import torch as t
import torch.optim.lr_scheduler as schedules
from torch.optim.lr_scheduler import StepLR as Decay

least_squares = t.lstsq  # expect: TP010:17
make_schedule = functools.partial(schedules.CosineAnnealingLR, T_max=10, verbose=False)  # expect: TP010:17


class Fitter:
    def __init__(self, net: t.nn.Module) -> None:
        self.net = net
        self.optimizer = t.optim.Adam(net.parameters())
        self.decay = Decay(self.optimizer, 5, verbose=True)  # expect: TP010:22

    def closed_form(self, x: t.Tensor, y: t.Tensor) -> t.Tensor:
        solution, _ = least_squares(y, x)
        if t.matrix_rank(x) < x.shape[1]:  # expect: TP010:12
            return y.lstsq(x)[0]  # expect: TP010:20
        return solution


class Warmup(schedules._LRScheduler):
    def __init__(self, optimizer, steps, last_epoch=-1, verbose=False):
        self.steps = steps
        super(Warmup, self).__init__(optimizer, last_epoch, verbose)  # expect: TP010:9

    def get_lr(self):
        return [base * min(1.0, self.last_epoch / self.steps) for base in self.base_lrs]
