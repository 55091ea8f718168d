"""The mode is over when the value goes out, or torch sees to it."""
import contextlib

import pytest
import torch


def features(encoder, loader):
    for x, y in loader:
        with torch.no_grad():
            h = encoder(x)
        yield h, y


@torch.no_grad()
def decorated(encoder, loader):
    for x, y in loader:
        yield encoder(x), y


@torch.inference_mode()
def decorated_twice(encoder, loader):
    with torch.no_grad():
        for x, y in loader:
            yield encoder(x), y


@contextlib.contextmanager
def evaluating(model):
    model.eval()
    with torch.no_grad():
        yield model
    model.train()


@pytest.fixture
def frozen():
    with torch.no_grad():
        yield torch.nn.Linear(2, 2)


def switched_on_again(encoder, loader):
    with torch.no_grad():
        for x in loader:
            h = encoder(x)
            with torch.enable_grad():
                yield h


def as_told(encoder, loader, training):
    with torch.set_grad_enabled(training):
        for x in loader:
            yield encoder(x)


def as_told_outside(encoder, loader, training):
    with torch.set_grad_enabled(False) if not training else contextlib.nullcontext():
        for x in loader:
            yield encoder(x)


def within(encoder, loader):
    with torch.no_grad():
        def embedded():
            for x in loader:
                yield encoder(x)

        return torch.cat(list(embedded()))
