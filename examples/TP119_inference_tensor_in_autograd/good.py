"""What meets autograd is made under no_grad, or cloned outside of the block."""
import torch
import torch.nn.functional as F
from torch import nn

teacher = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 10)).eval()
student = nn.Linear(16, 10)


def distill(x):
    with torch.no_grad():
        target = teacher(x)
    loss = F.mse_loss(student(x), target)
    loss.backward()


def distill_clone(x):
    with torch.inference_mode():
        target = teacher(x)
    target = target.clone()
    loss = F.mse_loss(student(x), target)
    loss.backward()


def softened(x):
    with torch.inference_mode():
        target = teacher(x)
    loss = F.kl_div(student(x).log_softmax(-1), target.softmax(-1), reduction="batchmean")
    loss.backward()


def shifted(x):
    with torch.inference_mode():
        bias = teacher(x)
    loss = torch.cat([student(x) + bias, student(x) - bias]).square().mean()
    loss.backward()


def evaluate(x, y):
    with torch.inference_mode():
        scores = teacher(x)
        scores *= 2
        scores[scores < 0] = 0
    return (scores.argmax(1) == y).float().mean().item()


def twice(x):
    with torch.inference_mode():
        features = teacher(x)
    with torch.no_grad():
        return F.mse_loss(student(x), features)


def optional(x, fast):
    with torch.inference_mode(mode=fast):
        target = teacher(x)
    loss = F.mse_loss(student(x), target)
    loss.backward()


@torch.inference_mode()
def predict(x):
    scores = teacher(x)
    scores.clamp_(0, 1)
    return student(x) * scores


def show(x):
    scores = predict(x)
    return scores.max().item(), scores + 1
