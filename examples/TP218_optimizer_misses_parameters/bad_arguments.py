"""What an optimizer cannot take, or is nothing any more."""
from torch import nn, optim

encoder, decoder = nn.Linear(4, 2), nn.Linear(2, 4)

whole = optim.Adam(encoder)  # expect: TP218:9
both = optim.Adam([encoder, decoder])  # expect: TP218:8
groups = optim.SGD([{"params": encoder.parameters()}, {"params": decoder}], lr=0.1)  # expect: TP218:10
lists = optim.Adam([encoder.parameters(), decoder.parameters()])  # expect: TP218:9
nothing = optim.Adam([], lr=1e-3)  # expect: TP218:11


def count_first(model: nn.Module):
    params = filter(lambda p: p.requires_grad, model.parameters())
    print("parameters:", sum(p.numel() for p in params))
    return optim.SGD([{"params": params}], lr=0.1)  # expect: TP218:12


def two_optimizers(model: nn.Module):
    params = model.parameters()
    fast = optim.SGD(params, lr=0.1)
    slow = optim.Adam(params, lr=1e-4)  # expect: TP218:12
    return fast, slow
