"""Each loss is read before the next one comes."""
import torch
import torch.nn.functional as F
from torch import nn


def summed(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        output, reconstructed = model(x)
        loss = F.cross_entropy(output, y)
        loss = loss + 0.1 * F.mse_loss(reconstructed, x)
        loss += 0.01 * output.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def chosen(model: nn.Module, loader, optimizer: torch.optim.Optimizer, smooth, weighted):
    for x, y in loader:
        output = model(x)
        loss = F.mse_loss(output, y)
        if smooth:
            loss = F.smooth_l1_loss(output, y)
        elif weighted:
            loss = F.l1_loss(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def logged(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        output = model(x)
        loss = F.l1_loss(output, y)
        print("absolute error", loss.item())
        loss = F.mse_loss(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def in_turn(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        output, reconstructed = model(x)
        loss = F.cross_entropy(output, y)
        loss.backward(retain_graph=True)
        loss = F.mse_loss(reconstructed, x)
        loss.backward()
        optimizer.step()


def from_nothing(model: nn.Module, batches, optimizer: torch.optim.Optimizer):
    loss = torch.zeros(())
    loss = sum(F.mse_loss(model(x), y) for x, y in batches)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def unpacked(model: nn.Module, batches, optimizer: torch.optim.Optimizer):
    for x, y in batches:
        loss, scores = model(x, y)
        loss = F.cross_entropy(scores, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def rolled_out(cell: nn.Module, states, target, optimizer: torch.optim.Optimizer):
    hidden = torch.zeros(1, 8)
    for state in states:
        hidden = cell(state, hidden)
        loss = F.mse_loss(hidden, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def evaluated(model: nn.Module, loader, held_out, optimizer: torch.optim.Optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for x, y in held_out:
            loss = F.mse_loss(model(x), y)
    model.train()


def delayed(model: nn.Module, loader, optimizer: torch.optim.Optimizer):
    loss = torch.zeros(())
    for x, y in loader:
        print("last", loss.item())
        optimizer.zero_grad()
        F.l1_loss(model(x), y).backward()
        optimizer.step()
        loss = F.mse_loss(model(x), y)


def measured(model: nn.Module, loader, held_out, optimizer: torch.optim.Optimizer):
    criterion = nn.MSELoss()
    for (x, y), (x_held, y_held) in zip(loader, held_out):
        optimizer.zero_grad()
        output = model(x)
        val_loss = criterion(model(x_held), y_held)
        l1_loss = F.l1_loss(output, y)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        print(loss.item(), l1_loss.item(), val_loss.item())


def unless_it_fails(model: nn.Module, loader, optimizer: torch.optim.Optimizer, refine):
    for x, y in loader:
        output = model(x)
        loss = F.mse_loss(output, y)
        try:
            loss = refine(output, y)
        except ValueError:
            pass
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
