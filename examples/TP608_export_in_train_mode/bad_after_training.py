import torch
from torch import nn


def fit_and_export(batches):
    model = nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.2), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.eval()
    with torch.no_grad():
        print(model(torch.rand(2, 8)))
    model.train()
    for x, y in batches:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    torch.onnx.export(model, (torch.rand(1, 8),), "model.onnx", dynamo=True)  # expect: TP608:5, TP961:5
