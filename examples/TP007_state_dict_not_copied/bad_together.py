import torch.nn.functional as F
from torch import nn, optim


def train(model: nn.Module, loader, validate):
    optimizer = optim.Adam(model.parameters())
    best, best_state = 0.0, None
    for _ in range(10):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        score = validate(model)
        if score > best:
            best, best_state = score, model.state_dict()  # expect: TP007:39
    model.load_state_dict(best_state)


def update_of(model: nn.Module, loader):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    before = {name: value.detach() for name, value in model.state_dict().items()}  # expect: TP007:55
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    after = model.state_dict()
    return {name: after[name] - before[name] for name in before}
