"""The new names, with their device."""
import torch
import torch.nn.functional as F
from torch.amp import GradScaler, autocast, custom_bwd, custom_fwd


class Double(torch.autograd.Function):
    @staticmethod
    @custom_fwd(device_type="cuda")
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    @custom_bwd(device_type="cuda")
    def backward(ctx, grad):
        return 2 * grad


def train(model, batches, optimizer):
    scaler = GradScaler("cuda")
    for inputs, targets in batches:
        optimizer.zero_grad()
        with autocast("cuda"):
            loss = F.cross_entropy(model(inputs), targets)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def resume(state, scaler: "torch.cuda.amp.GradScaler"):
    assert isinstance(scaler, torch.amp.GradScaler)
    scaler.load_state_dict(state)
