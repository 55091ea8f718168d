"""A tensor that is meant to be moved, in a script."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(10, 2)
model.to(device)

inputs = torch.rand(16, 10)
target = torch.randint(0, 2, (16,))
inputs.to(device)  # expect: TP401:1
target.cuda() if device.type == "cuda" else None  # expect: TP401:1

scores = model(inputs)
scores.double()  # expect: TP401:1
loss = nn.functional.cross_entropy(scores, target)
print(loss.item())

weights = [torch.ones(2), torch.zeros(2)]
for weight in weights:
    weight = weight.to(device)  # expect: TP401:5
[weight.half() for weight in weights]  # expect: TP401:2
print(sum(weights))
