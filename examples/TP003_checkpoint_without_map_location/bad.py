import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(10, 2).to(device)
model.load_state_dict(torch.load("model.pt"))  # expect: TP003:23
model.eval()
with torch.no_grad():  # expect: TP913:6
    print(model(torch.randn(1, 10, device=device)))
