"""Many ways to clear gradients, each in the right place."""
import torch
import torch.nn.functional as F
from torch import nn


def before_backward(model, optimizer, batches):
    for x, y in batches:
        optimizer.zero_grad(set_to_none=True)  # expect: TP912:9
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def after_step(model, optimizer, batches):
    for x, y in batches:
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


def through_the_module(model, optimizer, batches):
    for x, y in batches:
        model.zero_grad()
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def parameter_by_parameter(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in batches:
        for parameter in model.parameters():
            parameter.grad = None
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def in_place(model, optimizer, batches):
    for x, y in batches:
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad.zero_()


def reset_gradients(*modules: nn.Module):
    for module in modules:
        module.zero_grad()


def in_a_helper(model, optimizer, batches):
    for x, y in batches:
        reset_gradients(model)
        F.mse_loss(model(x), y).backward()
        optimizer.step()


def unless_not_finite(model, optimizer, batches):
    for x, y in batches:
        loss = F.mse_loss(model(x), y)
        if not torch.isfinite(loss):
            optimizer.zero_grad()
            continue
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def in_a_generator(model: nn.Module, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def losses():
        for x, y in batches:
            optimizer.zero_grad()
            yield F.mse_loss(model(x), y)

    for loss in losses():
        loss.backward()
        optimizer.step()
