import torch
import torch._dynamo
from torch import nn

torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.reorderable_logging_functions.add(print)


class Net(nn.Module):
    def forward(self, x):
        print("forward")
        return x * x.max().item()


@torch.compile(fullgraph=True)
def captured(x):
    return x * x.sum().item() + x[x > 0].sum()


@torch.compile(disable=True)
def plain(x):
    if x.sum() > 0:
        print(x)
    return x


@torch.compile
def asks(x):
    if not torch.compiler.is_compiling():
        print(x)
    return x + 1


@torch.library.custom_op("demo::count", mutates_args=())
def count(x: torch.Tensor) -> torch.Tensor:
    return torch.tensor(x.nonzero().tolist())


@count.register_fake
def _(x):
    return x.new_empty((torch.library.get_ctx().new_dynamic_size(), 2))


@torch.compile
def uses(x):
    return count(x).sum()


net = torch.compile(Net())
