import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(10, 2).to(device)
model.load_state_dict(torch.load("model.pt", map_location=device))
model.load_state_dict(torch.load("model.pt", "cpu"))
options = {"map_location": device}
model.load_state_dict(torch.load("model.pt", **options))
statistics = torch.load("statistics.pt")
print(statistics["mean"], model)  # expect: TP921:1
