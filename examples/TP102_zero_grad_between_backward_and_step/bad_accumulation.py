"""Four micro-batches go backward; what they computed is dropped right before the step."""
import torch
import torch.nn.functional as F


def finetune(model, batches, every=4):
    adam = torch.optim.Adam(model.parameters(), lr=1e-4)
    for index, (tokens, labels) in enumerate(batches, start=1):
        loss = F.cross_entropy(model(tokens), labels) / every
        loss.backward()
        if index % every == 0:
            adam.zero_grad()  # expect: TP102:13
            adam.step()
