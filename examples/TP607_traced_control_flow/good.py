import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=4, residual=True):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.residual = residual
        self.scale = nn.Parameter(torch.ones(width)) if width > 2 else None

    def forward(self, x, mask=None):
        h = torch.where(x > 0, self.linear(x), x)
        if self.residual:
            h = h + x
        if self.scale is not None:
            h = h * self.scale
        if mask is not None:
            h = h * mask
        if self.training and x.size(0) > 1:
            h = h + 1
        if x.dim() == 2 and x.shape[1] == 4 and x.dtype == torch.float32:
            h = h * 2
        if torch.isnan(h).any():
            raise ValueError("not a number")
        for index in range(3):
            h = h + index
        assert (h < 1000).all()
        return h


class Careful(nn.Module):
    def forward(self, x):
        if torch.onnx.is_in_onnx_export():
            return x
        if x.sum() > 0:
            return x * 2
        return x


class Eager(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x


net = Net().eval()
example = torch.randn(2, 4)
torch.onnx.export(net, (example,), "net.onnx", dynamo=False)  # expect: TP961:1
torch.onnx.export(Eager().eval(), (example,), "eager.onnx")  # expect: TP961:1
torch.onnx.export(Eager().eval(), (example,), "eager.onnx", dynamo=True)  # expect: TP961:1
torch.onnx.export(Careful().eval(), (example,), "careful.onnx", dynamo=False)  # expect: TP961:1
print(Eager()(example))
