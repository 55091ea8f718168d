"""Training in float16, evaluation in bfloat16."""
import torch
from torch import nn


def step(model: nn.Module, optimizer: torch.optim.Optimizer, scaler: torch.amp.GradScaler, x, y):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = nn.functional.mse_loss(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()


def main(model: nn.Module, x, y):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step(model, optimizer, torch.amp.GradScaler("cuda"), x, y)
    model.eval()
    with torch.inference_mode(), torch.autocast("cuda", dtype=torch.bfloat16):
        print(model(x).mean().item())
