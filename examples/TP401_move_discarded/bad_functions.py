"""Tensors known by their annotation, by a test, or by what made them."""
from typing import Dict, Optional

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pack_padded_sequence


def attend(query: Tensor, key: Tensor, mask: Optional[Tensor] = None) -> Tensor:
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        mask.to(scores.dtype)  # expect: TP401:9
        scores = scores + mask
    key.contiguous()  # expect: TP401:5
    return F.softmax(scores, dim=-1) @ key


def to_device(batch: Dict[str, object], device: torch.device) -> Dict[str, object]:
    for name, value in batch.items():
        if isinstance(value, torch.Tensor):
            value.to(device, non_blocking=True)  # expect: TP401:13
    return batch


def real_and_fake(discriminator, images):
    real = torch.ones(images.size(0), 1)
    real.type(torch.cuda.FloatTensor)  # expect: TP401:5
    fake = torch.zeros_like(real)
    fake.to(images.device)  # expect: TP401:5
    return F.mse_loss(discriminator(images), real), fake


def packed(embedded: Tensor, lengths: Tensor, rnn):
    sequence = pack_padded_sequence(embedded, lengths, batch_first=True)
    sequence.cuda()  # expect: TP401:5
    return rnn(sequence)
