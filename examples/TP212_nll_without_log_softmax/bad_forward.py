from torch import nn, optim

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))


def train(loader):
    criterion = nn.NLLLoss()  # expect: TP212:17
    optimizer = optim.SGD(model.parameters(), lr=0.01)
    for images, labels in loader:
        optimizer.zero_grad()
        output = model.forward(images)  # expect: TP204:18
        criterion(output, labels).backward()
        optimizer.step()
