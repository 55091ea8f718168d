"""The same test decides for the model and for the data."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

cuda = torch.cuda.is_available()
loader = DataLoader(TensorDataset(torch.rand(8, 4), torch.rand(8, 4)), batch_size=2, num_workers=2)

model = nn.Linear(4, 4)
criterion = nn.MSELoss()
if cuda:
    model.cuda()
    criterion.cuda()

for x, y in loader:
    if cuda:
        x, y = x.cuda(), y.cuda()
    print(criterion(model(x), y))

for x, y in loader:
    if cuda:
        out = model(x.cuda()).cpu()
    else:
        out = model(x)
    print(criterion(out, y))

for x, y in loader:
    x = x.cuda() if cuda else x
    print(model(x).mean())


def load(path, device):
    net = nn.Linear(4, 4)
    net.load_state_dict(torch.load(path, map_location=device, weights_only=True))
    return net.to(device)


def cpu_only(path):
    net = load(path, "cpu")
    for x, _ in loader:
        print(net(x))
