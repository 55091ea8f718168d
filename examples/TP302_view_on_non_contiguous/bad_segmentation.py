import torch
import torch.nn.functional as F


def pixel_loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    n, c, h, w = logits.shape
    rows = logits.permute(0, 2, 3, 1).relu().view(-1, c)  # expect: TP302:12
    return F.cross_entropy(rows, labels.view(-1))


def next_token_loss(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    targets = tokens[:, 1:]
    vocabulary = logits.size(-1)
    return F.cross_entropy(
        logits[:, :-1].reshape(-1, vocabulary),
        targets.view(-1),  # expect: TP302:9
    )
