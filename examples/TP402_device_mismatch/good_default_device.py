"""Where the default device is changed, a factory makes no CPU tensor."""
import torch
import torch.nn as nn

torch.set_default_device("cuda")

model = nn.Linear(4, 4).cuda()  # expect: TP942:9
print(model(torch.rand(2, 4)))
