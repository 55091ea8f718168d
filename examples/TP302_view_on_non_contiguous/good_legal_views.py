"""Views that the strides allow, though something was transposed, sliced or expanded before."""
import torch


def split_only(x: torch.Tensor) -> list[torch.Tensor]:
    b, n, c = x.shape
    y = x.transpose(1, 2)
    return [y.view(b, 4, c // 4, n), y.view(b, c, 1, n), y.view(b, c, 8, n // 8)]


def image(tokens: torch.Tensor, h: int, w: int) -> torch.Tensor:
    b, n, c = tokens.shape
    return tokens.transpose(1, 2).view(b, c, h, w)


def known_sizes() -> list[torch.Tensor]:
    x = torch.randn(2, 3, 4)
    merged_in_memory_order = x.permute(1, 2, 0).view(12, 2)
    kept_apart = x.transpose(0, 1).view(3, 2, 4)
    one_row = torch.randn(1, 5).t().view(5)
    return [merged_in_memory_order, kept_apart, one_row]


def there_and_back(x: torch.Tensor) -> torch.Tensor:
    b, c, t = x.shape
    y = x.transpose(1, 2).relu()
    return y.transpose(1, 2).view(b, c * t)


def rows(x: torch.Tensor, k: int) -> list[torch.Tensor]:
    vector = torch.arange(10)
    return [x[:k].view(-1), x[0].view(-1), vector[2:].view(2, 4), vector[:, None].view(10)]


def expanded(row: torch.Tensor, count: int) -> torch.Tensor:
    (n,) = row.shape
    return row.expand(count, n).view(count, n, 1)


def halves(x: torch.Tensor) -> torch.Tensor:
    b, t, c = x.shape
    left, right = x.chunk(2, dim=-1)
    return left.view(b, t, 2, c // 4) + right.view(b * t, 2, c // 4).view(b, t, 2, c // 4)
