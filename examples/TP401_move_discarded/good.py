"""Results that are kept, and modules, which move in place."""
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Sequential(nn.Linear(10, 2), nn.ReLU())
model.to(device)
model[0].half()
model.float()
criterion = nn.CrossEntropyLoss(weight=torch.ones(2))
criterion.cuda()

inputs = torch.rand(16, 10)
target = torch.randint(0, 2, (16,))
inputs = inputs.to(device)
inputs, target = inputs.float(), target.to(device)
inputs.requires_grad_()
loss = criterion(model(inputs), target)
loss.backward()

stages = [nn.Linear(2, 2), nn.Linear(2, 2)]
for stage in stages:
    stage.to(device)
for stage in stages:
    stage = stage.cuda()
[stage.eval() for stage in stages]

batch = {"image": torch.rand(2, 3), "label": torch.zeros(2)}
batch = {key: value.to(device) for key, value in batch.items()}
for key, value in batch.items():
    batch[key] = value.cpu()
for value in batch.values():
    value = value.cpu()
    print(value.numpy())
