"""An autograd function and a module with the old decorators."""
import torch
from torch.cuda import amp
from torch.cuda.amp import custom_bwd, custom_fwd


class Double(torch.autograd.Function):
    @staticmethod
    @custom_fwd(cast_inputs=torch.float32)  # expect: TP118:6
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    @custom_bwd  # expect: TP118:6
    def backward(ctx, grad):
        return 2 * grad


class Head(torch.nn.Module):
    @amp.autocast(enabled=False)  # expect: TP118:6
    def forward(self, x):
        return Double.apply(x.float())
