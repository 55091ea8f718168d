"""A scaled loss that is dropped."""
import torch
import torch.nn.functional as F

model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
grad_scaler = torch.amp.GradScaler("cuda")

for inputs, targets in [(torch.randn(4, 8), torch.randint(2, (4,)))]:
    loss = F.cross_entropy(model(inputs), targets)
    grad_scaler.scale(loss)  # expect: TP116:5
    loss.backward()
    grad_scaler.step(optimizer)
    grad_scaler.update()
    optimizer.zero_grad()
