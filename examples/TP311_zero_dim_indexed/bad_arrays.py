"""An array made of a tensor without dimensions has none either."""
import torch


def accuracy(scores: torch.Tensor, labels: torch.Tensor) -> float:
    correct = scores.argmax(1).eq(labels).sum()
    return correct.cpu().numpy()[0] / len(labels)  # expect: TP311:12
