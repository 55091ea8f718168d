import torch
from torch import nn

model = nn.Sequential(nn.Linear(10, 10), nn.Dropout(), nn.Linear(10, 2))
nn.init.kaiming_normal_(model[0].weight, "relu")  # expect: TP216:1
nn.init.xavier_uniform_(model[0].bias)  # expect: TP216:1

model.train("eval")  # expect: TP216:1
with torch.no_grad():  # expect: TP913:6
    print(model(torch.randn(1, 10)))

model.eval(True)  # expect: TP216:1
