"""Context managers that are made and dropped."""
import torch
from torch import no_grad


def predict(model, inputs):
    model.eval()
    torch.inference_mode()  # expect: TP122:5
    return model(inputs)


def embed(encoder, batches):
    no_grad()  # expect: TP122:5
    encoder.eval()
    return torch.cat([encoder(batch) for batch in batches])


def train(model, batches, optimizer):
    torch.autograd.detect_anomaly()  # expect: TP122:5, TP911:5
    for inputs in batches:
        torch.autocast("cuda", dtype=torch.bfloat16)  # expect: TP122:9
        loss = model(inputs).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
