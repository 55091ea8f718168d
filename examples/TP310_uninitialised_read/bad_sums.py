import torch
from torch.utils.data import DataLoader


def mean_image(loader: DataLoader, channels: int) -> torch.Tensor:
    total = torch.empty(channels, 32, 32)  # expect: TP310:13
    count = 0
    for x, _ in loader:
        total += x.sum(0)
        count += len(x)
    return total / count


class Histogram:
    def __init__(self, bins: int) -> None:
        self.bins = bins

    def count(self, labels: torch.Tensor) -> torch.Tensor:
        counts = labels.new_empty(self.bins)  # expect: TP310:18
        for label in labels.tolist():
            counts[label] += 1
        return counts

    def weigh(self, labels: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        sums = torch.empty_like(weights)  # expect: TP310:16
        sums.scatter_add_(0, labels, weights)
        return sums


projection = torch.FloatTensor(4, 3)  # expect: TP310:14
bias = torch.empty(3)  # expect: TP310:8
x = torch.randn(2, 4)
hidden = torch.matmul(x, projection) + bias
print(hidden)
