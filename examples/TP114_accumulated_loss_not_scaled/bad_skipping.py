"""The pass goes on early, or the test has a name; and parts of one batch."""
import torch
import torch.nn.functional as F
from torch import nn


def skipping(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every, epochs):
    step = 0
    for _ in range(epochs):
        for x, y in loader:
            step += 1
            F.mse_loss(model(x), y).backward()  # expect: TP114:13
            if step % every != 0:
                continue
            optimizer.step()
            optimizer.zero_grad()


def is_due(index, every):
    return index % every == every - 1


def named(model: nn.Module, optimizer: torch.optim.Optimizer, loader, every):
    for index, batch in enumerate(loader):
        loss = model(**batch).loss
        loss.backward()  # expect: TP114:9
        last = index == len(loader) - 1
        due = is_due(index, every) or last
        if due:
            optimizer.step()
            optimizer.zero_grad()


def in_parts(model: nn.Module, optimizer: torch.optim.Optimizer, loader, parts):
    for x, y in loader:
        optimizer.zero_grad()
        for part, target in zip(x.chunk(parts), y.chunk(parts)):
            loss = F.cross_entropy(model(part), target)
            loss.backward()  # expect: TP114:13
        optimizer.step()


def micro_batches(model: nn.Module, optimizer: torch.optim.Optimizer, stream, grad_accum_steps, steps):
    for _ in range(steps):
        for _ in range(grad_accum_steps):
            x, y = next(stream)
            loss = F.cross_entropy(model(x), y)
            loss.backward()  # expect: TP114:13
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)  # expect: TP912:9


def objective(outputs, targets):
    box = F.smooth_l1_loss(outputs[0], targets[0])
    kind = F.cross_entropy(outputs[1], targets[1])
    total = box + kind
    return total, (box.item(), kind.item())


def of_several(model: nn.Module, optimizer: torch.optim.Optimizer, loader, options, epochs):
    for epoch in range(epochs):
        for index, (images, targets) in enumerate(loader):
            seen = len(loader) * epoch + index
            loss, parts = objective(model(images), targets)
            loss.backward()  # expect: TP114:13
            if seen % options["subdivisions"] == 0:
                optimizer.step()
                optimizer.zero_grad()
