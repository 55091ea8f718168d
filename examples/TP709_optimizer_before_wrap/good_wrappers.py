"""Wrappers and moves that keep the parameters; optimizers that are made anew, or do nothing after the wrapping."""
import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel


def train(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
        optimizer.step()


def replicated(rank, loader):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model = model.cuda(rank)
    model = DistributedDataParallel(model, device_ids=[rank])
    train(model, optimizer, loader)


def original_parameters(loader):
    model = nn.Linear(4, 1).cuda()  # expect: TP942:13
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model = FSDP(model, use_orig_params=True)
    train(model, optimizer, loader)


def made_anew(loader):
    model = nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, optimizer, loader)
    model = FSDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    train(model, optimizer, loader)


def only_evaluated(loader):
    model = nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, optimizer, loader)
    model = FSDP(model)
    model.eval()
    with torch.no_grad():
        return [model(x.cuda()) for x, _ in loader]


def another_module(loader):
    student, teacher = nn.Linear(4, 1).cuda(), nn.Linear(4, 1).cuda()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    teacher = FSDP(teacher)
    teacher.eval()
    for x, _ in loader:
        with torch.no_grad():
            target = teacher(x.cuda())
        optimizer.zero_grad()
        nn.functional.mse_loss(student(x.cuda()), target).backward()
        optimizer.step()
