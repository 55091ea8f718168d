"""Losses written down as in the paper."""
import torch
import torch.nn.functional as F


def distillation(student, teacher, temperature):
    targets = F.softmax(teacher / temperature, dim=1)
    predicted = torch.log(F.softmax(student / temperature, dim=1))  # expect: TP932:17
    return -(targets * predicted).sum(1).mean()


def gan_loss(real, fake):
    return -(torch.log(torch.sigmoid(real)) + torch.log(torch.sigmoid(-fake))).mean()  # expect: TP932:14, TP932:47


def soft_hinge(margins):
    return torch.log(1 + torch.exp(-margins)).mean()  # expect: TP932:12


def free_energy(energies: torch.Tensor):
    weights = torch.exp(-energies)
    return -weights.sum(dim=1).log()  # expect: TP932:13
