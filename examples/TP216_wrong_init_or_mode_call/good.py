import torch
from torch import nn

model = nn.Sequential(nn.Linear(10, 10), nn.Dropout(), nn.Linear(10, 2))
nn.init.kaiming_normal_(model[0].weight, nonlinearity="relu")
nn.init.kaiming_uniform_(model[2].weight, a=0.2, mode="fan_out")
nn.init.xavier_uniform_(model[2].weight, gain=nn.init.calculate_gain("tanh"))
for layer in (model[0], model[2]):
    nn.init.zeros_(layer.bias)
    nn.init.uniform_(layer.bias, -0.1, 0.1)

model.train(False)
model.train(mode=True)
for phase in ("train", "val"):
    model.train(phase == "train")
with torch.no_grad():  # expect: TP913:6
    model.eval()
    print(model(torch.randn(1, 10)))
