"""The head of a detector: what it splits is in order, whatever the batch brings, and `permute` is not."""
import torch


def boxes(predictions: torch.Tensor, anchors: int, classes: int) -> torch.Tensor:
    batch, _, rows, columns = predictions.shape
    grid = predictions.view(batch, anchors, classes + 5, rows, columns).permute(0, 1, 3, 4, 2)
    return grid.view(batch, -1, classes + 5)  # expect: TP302:12


def scores(predictions: torch.Tensor) -> torch.Tensor:
    batch, _, rows, columns = predictions.shape
    cells = predictions.view(batch, 255, rows * columns).transpose(1, 2)
    return cells.view(batch, -1)  # expect: TP302:12


def kept(predictions: torch.Tensor) -> torch.Tensor:
    batch, _, rows, columns = predictions.shape
    cells = predictions.view(batch, 255, rows * columns).transpose(1, 2)
    return cells.view(batch, rows, columns, 255)
