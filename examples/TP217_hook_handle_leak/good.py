import torch
from torch import nn

features = {}


def keep(module, inputs, output):
    features[module] = output.detach()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.body.register_forward_hook(keep)
        self.watched = False

    def forward(self, x):
        if not self.watched:
            self.body.register_forward_pre_hook(print)
            self.watched = True
        x = self.body(x)
        x.register_hook(print)
        return x


def watch(model):
    for layer in model.children():
        layer.register_forward_hook(keep)


def main(batches, seeds):
    model = Net()
    watch(model)
    for x in batches:
        model(x)
    for seed in seeds:
        torch.manual_seed(seed)
        fresh = Net()
        fresh.body.register_forward_hook(keep)
        watch(fresh)


def add_all(model: nn.Module, hooks, make):
    for hook in hooks:
        model.register_forward_hook(hook)
    for hook in hooks:
        add(model, make, hook)


def add(model: nn.Module, make, hook):
    for layer in model.modules():
        layer.register_forward_hook(make(hook))
