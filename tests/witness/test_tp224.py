"""TP224 on real torch: what becomes of arguments in the wrong place."""
from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, RandomSampler

IMAGES = torch.randn(2, 4, 8, 8)
ROWS = torch.randn(3, 4)


def parameters():
    return [nn.Parameter(torch.ones(2))]


def test_the_second_argument_of_a_norm_is_eps():
    norm = nn.BatchNorm2d(4, 0.8)
    assert (norm.eps, norm.momentum) == (0.8, 0.1)
    assert norm(IMAGES).std() < 0.9 < nn.BatchNorm2d(4, momentum=0.8)(IMAGES).std()
    assert nn.LayerNorm(4, 4).eps == 4


def test_a_rate_of_true_drops_everything():
    assert F.dropout(ROWS, True).abs().sum() == 0
    assert F.dropout(ROWS, training=True).abs().sum() > 0
    assert nn.Dropout(True).p == 1 and not nn.Dropout(True).inplace
    with pytest.raises(ValueError, match="between 0 and 1"):
        nn.Dropout(50)


def test_a_slope_of_true_is_linear():
    x = torch.tensor([-3.0, 2.0])
    assert nn.LeakyReLU(True)(x).tolist() == F.leaky_relu(x, True).tolist() == [-3.0, 2.0]
    assert nn.ReLU(0.2)(torch.tensor([-3.0, 2.0])).tolist() == [0.0, 2.0]


def test_numbers_and_texts_only_switch_a_bias_on():
    assert nn.Linear(8, 8, 0.1).bias.shape == nn.Linear(8, 8, "relu").bias.shape == (8,)


@pytest.mark.parametrize("arguments", [(3, True), (3, 1, True), (3, 1, 1, False), (3, 1, 1, 1, False)])
def test_booleans_in_a_convolution_raise(arguments):
    with pytest.raises((TypeError, ValueError)):
        nn.Conv2d(4, 8, *arguments)(IMAGES)


@pytest.mark.parametrize("arguments", [(3, 2, True), (3, 2, 0, True)])
def test_booleans_in_a_pool_raise(arguments):
    with pytest.raises(TypeError):
        nn.MaxPool2d(*arguments)(IMAGES)


def test_recurrent_layers_raise():
    with pytest.raises(TypeError, match="bias should be of type bool"):
        nn.LSTM(4, 8, 2, 0.5)
    with pytest.raises(ValueError, match="dropout should be a number"):
        nn.GRU(4, 8, 2, True, True, True)
    assert nn.LSTM(4, 8, True).num_layers is True


def test_attention_with_a_dropout_of_true():
    x = torch.randn(2, 3, 64)
    assert nn.MultiheadAttention(64, 8, True)(x, x, x)[1].abs().sum() == 0
    assert nn.TransformerEncoderLayer(64, 8, 64, True).dropout.p == 1
    with pytest.raises(TypeError):
        nn.TransformerEncoderLayer(64, 8, 0.1)


def test_swapped_sizes_raise():
    with pytest.raises(AssertionError, match="embed_dim must be divisible by num_heads"):
        nn.MultiheadAttention(8, 64)
    with pytest.raises(ValueError, match="num_channels"):
        nn.GroupNorm(64, 8)
    assert (ROWS.clamp(1, 0) == 0).all()


def test_the_first_argument_of_upsample_is_a_size():
    assert nn.Upsample(2)(IMAGES).shape == F.interpolate(IMAGES, 2).shape == (2, 4, 2, 2)
    assert nn.Upsample(scale_factor=2)(IMAGES).shape == (2, 4, 16, 16)


def test_the_second_argument_of_normalize_is_an_exponent():
    assert not torch.allclose(F.normalize(ROWS, -1).norm(dim=1), torch.ones(3))
    torch.testing.assert_close(F.normalize(ROWS, dim=-1).norm(dim=1), torch.ones(3))
    assert ROWS.norm(-1).shape == ()


def test_gumbel_softmax_stays_soft():
    soft = F.gumbel_softmax(ROWS, True)
    assert ((soft > 0) & (soft < 1)).any()
    assert set(F.gumbel_softmax(ROWS, hard=True).round(decimals=4).unique().tolist()) == {0.0, 1.0}


def test_initializations_take_the_mean_first():
    torch.manual_seed(0)
    assert nn.init.normal_(torch.empty(9999), 0.02).std() > 0.9
    assert nn.init.trunc_normal_(torch.empty(9999), 0.02).std() > 0.7
    assert torch.empty(9999).normal_(0.02).std() > 0.9
    assert nn.init.normal_(torch.empty(9999), std=0.02).std() < 0.03
    assert nn.init.uniform_(torch.empty(9999), 0.1).max() > 0.9
    assert torch.empty(9999).uniform_(-0.1).max() > 0.9


def test_optimizers_and_schedulers():
    defaults = optim.SGD(parameters(), 0.1, 5e-4).defaults
    assert (defaults["momentum"], defaults["weight_decay"]) == (5e-4, 0)
    with pytest.raises(TypeError):
        optim.Adam(parameters(), 1e-3, 0.9)
    optimizer = optim.SGD(parameters(), 0.1)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 0.1, 30)
    for _ in range(60):
        optimizer.step()
        scheduler.step()
    assert scheduler.get_last_lr() == [0.1]
    with pytest.raises(TypeError):
        optim.lr_scheduler.MultiStepLR(optimizer, 0.1, [10])


def test_a_loader_with_shuffle_four():
    loader = DataLoader(range(8), 4, 4)
    assert isinstance(loader.sampler, RandomSampler) and loader.num_workers == 0
    with pytest.raises(ValueError, match="batch_size"):
        DataLoader(range(8), True)


def test_losses_take_weights_first():
    x, y = torch.tensor([[0.5], [-1.0]]), torch.tensor([[1.0], [0.0]])
    weight = torch.tensor([3.0])
    plain = F.binary_cross_entropy_with_logits(x, y)
    torch.testing.assert_close(nn.BCEWithLogitsLoss(weight)(x, y), 3 * plain)
    assert nn.BCEWithLogitsLoss(pos_weight=weight)(x, y) < 3 * plain
    for number in (0, 0.1):
        with pytest.raises(TypeError, match="cannot assign"):
            nn.CrossEntropyLoss(number)


def test_a_device_switches_the_bias_on():
    layer = nn.Linear(2, 2, torch.device("meta"))
    assert layer.weight.device.type == "cpu"


def test_others_raise():
    with pytest.raises(TypeError):
        torch.linspace(0, 1, 0.1)
    with pytest.raises(TypeError):
        torch.ones((), requires_grad=True).mul(2).backward(True)


def test_made_with_tensors():
    with pytest.raises(RuntimeError, match="Boolean value of Tensor"):
        nn.CrossEntropyLoss(ROWS, ROWS)
    with pytest.raises(RuntimeError, match="Boolean value of Tensor"):
        nn.MSELoss(ROWS, ROWS)
    assert isinstance(nn.Softmax(ROWS), nn.Module)
