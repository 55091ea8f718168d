"""A few items, or a window of a fixed length."""
import torch


def corners(image):
    found = image[:, :1, :1]
    for row, column in ((0, -1), (-1, 0), (-1, -1)):
        found = torch.cat([found, image[:, row, column].view(-1, 1, 1)])
    for _ in range(3):
        found = torch.cat([found, image.flatten()[:1].view(1, 1, 1)])
    return found


def smooth(signal, window):
    means = []
    for value in signal:
        window = torch.cat([window[1:], value.view(1)])
        means.append(window.mean())
    return torch.stack(means)
