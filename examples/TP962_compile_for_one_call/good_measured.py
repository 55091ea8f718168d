"""Compiled to look at it; and in a function that a loop calls."""
import torch


def compare(function, rows):
    fast = torch.compile(function)
    torch.testing.assert_close(fast(rows), function(rows))


def test_same(rows):
    fast = torch.compile(torch.sin)
    assert torch.equal(fast(rows), torch.sin(rows))


def shortest(rows):
    return [torch.compile(row.__class__.sum)(row) for row in rows]


def norm(function, rows):
    compiled = torch.compile(function)
    return compiled(rows).norm()


def norms(functions, rows):
    return [norm(function, rows) for function in functions]
