"""Mixed precision as it was written before PyTorch 2.4."""
import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast


def train(model, batches, optimizer):
    scaler = GradScaler()  # expect: TP118:14
    for inputs, targets in batches:
        optimizer.zero_grad()
        with autocast(dtype=torch.float16):  # expect: TP118:14
            loss = F.cross_entropy(model(inputs), targets)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def predict(model, inputs):
    model.eval()
    with torch.no_grad(), torch.cpu.amp.autocast():  # expect: TP118:27
        return model(inputs).argmax(dim=1)
