"""TP225 on real torch: what attention does with masks of each kind."""
from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn

STEPS = 4
ALLOWED = torch.tril(torch.ones(STEPS, STEPS))


@pytest.fixture
def x():
    torch.manual_seed(0)
    return torch.randn(1, STEPS, 8)


def reach(function, x):
    """Return which steps the first step depends on."""
    x = x.clone().requires_grad_()
    function(x)[0, 0, 0].backward()
    return (x.grad[0].abs().sum(dim=1) > 0).tolist()


def modules():
    torch.manual_seed(0)
    attention = nn.MultiheadAttention(8, 2, batch_first=True)
    layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    return {
        "attention": lambda mask: lambda x: attention(x, x, x, attn_mask=mask)[0],
        "layer": lambda mask: lambda x: layer(x, src_mask=mask),
        "encoder": lambda mask: lambda x: nn.TransformerEncoder(layer, 1)(x, mask=mask),
    }


@pytest.mark.parametrize("name", ["attention", "layer", "encoder"])
def test_zeros_and_ones_let_the_first_step_see_all(name, x):
    make = modules()[name]
    assert reach(make(ALLOWED), x) == [True] * STEPS
    assert reach(make(ALLOWED == 0), x) == [True, False, False, False]


def test_the_function_adds_them_too(x):
    assert reach(lambda x: F.scaled_dot_product_attention(x, x, x, attn_mask=ALLOWED), x) == [True] * STEPS
    assert reach(lambda x: F.scaled_dot_product_attention(x, x, x, attn_mask=ALLOWED.bool()), x)[1:] == [False] * 3
    forbidden = torch.zeros(STEPS, STEPS).masked_fill(ALLOWED == 0, float("-inf"))
    assert reach(lambda x: F.scaled_dot_product_attention(x, x, x, attn_mask=forbidden), x)[1:] == [False] * 3


def test_padding_of_zeros_and_ones_is_attended_to(x):
    padded = torch.tensor([[False, False, False, True]])
    attention = nn.MultiheadAttention(8, 2, batch_first=True)
    assert attention(x, x, x, key_padding_mask=padded)[1][0, 0, 3].item() == 0
    assert attention(x, x, x, key_padding_mask=padded.float())[1][0, 0, 3].item() > 0.01


@pytest.mark.parametrize("dtype", [torch.long, torch.int, torch.uint8])
def test_integers_raise(dtype, x):
    mask = ALLOWED.to(dtype)
    with pytest.raises(AssertionError, match="only bool and floating types"):
        nn.MultiheadAttention(8, 2, batch_first=True)(x, x, x, attn_mask=mask)
    with pytest.raises(RuntimeError, match="Expected attn_mask dtype to be bool or float"):
        F.scaled_dot_product_attention(x, x, x, attn_mask=mask)


def test_all_ones_or_zeros_change_nothing(x):
    plain = F.scaled_dot_product_attention(x, x, x)
    for mask in (torch.ones(STEPS, STEPS), torch.zeros(STEPS, STEPS)):
        torch.testing.assert_close(F.scaled_dot_product_attention(x, x, x, attn_mask=mask), plain)
