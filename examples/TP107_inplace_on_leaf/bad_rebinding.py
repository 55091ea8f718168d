import torch


def descend(x, y, lr=0.01):
    w = torch.randn(3, requires_grad=True)
    for _ in range(10):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        w = w - lr * w.grad  # expect: TP107:9
    return w


def descend_without_recording(x, y, lr=0.01):
    w = torch.randn(3, requires_grad=True)
    for _ in range(10):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w = w - lr * w.grad  # expect: TP107:13
    return w
