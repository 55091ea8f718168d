import torch
from torch import nn

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
model.load_state_dict(torch.load("digits.pt", weights_only=True))
model.eval()

with torch.no_grad():  # expect: TP913:6
    scores = model(torch.rand(1, 1, 28, 28)).softmax(1)
print(scores.argmax(1).item())
