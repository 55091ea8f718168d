"""Graphs that are retained because something uses them again."""
import torch
import torch.nn.functional as F
from torch import nn


def two_losses(encoder, actor, critic, batches):
    optimizer = torch.optim.Adam([*encoder.parameters(), *actor.parameters(), *critic.parameters()])
    for states, actions, returns in batches:
        features = encoder(states)
        critic_loss = F.mse_loss(critic(features).squeeze(1), returns)
        actor_loss = F.cross_entropy(actor(features), actions)
        optimizer.zero_grad()
        critic_loss.backward(retain_graph=True)
        actor_loss.backward()
        optimizer.step()


def with_input_gradients(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs, targets in batches:
        inputs.requires_grad_()
        loss = F.mse_loss(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        [gradient] = torch.autograd.grad(loss, inputs)
        print(gradient.norm())
        optimizer.step()


def truncated(windows):
    rnn = nn.GRU(4, 8)
    optimizer = torch.optim.Adam(rnn.parameters())
    for window in windows:
        hidden = torch.zeros(1, 1, 8)
        optimizer.zero_grad()
        for inputs, targets in window:
            output, hidden = rnn(inputs, hidden)
            F.mse_loss(output, targets).backward(retain_graph=True)
        optimizer.step()


def match_features(features, target, model):
    """Fit *model* on features that come with a graph of their own."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        optimizer.zero_grad()
        F.mse_loss(model(features), target).backward(retain_graph=True)
        optimizer.step()


def jacobian(model, x):
    x = x.clone().requires_grad_()
    outputs = model(x)
    rows = []
    for output in outputs:
        x.grad = None
        output.backward(retain_graph=True)
        rows.append(x.grad.clone())
    return torch.stack(rows)


def two_heads(model: nn.Module, batches):
    optimizer = torch.optim.Adam(model.parameters())
    for states, returns in batches:
        scores, values = model(states)
        optimizer.zero_grad()
        scores.logsumexp(1).mean().backward(retain_graph=True)
        F.mse_loss(values, returns).backward()
        optimizer.step()


class Translator:
    """What ``translate`` sets, both losses go through."""

    def __init__(self, there: nn.Module, back: nn.Module):
        self.there, self.back = there, back
        self.optimizer = torch.optim.Adam([*there.parameters(), *back.parameters()])

    def translate(self, images):
        self.fake = self.there(images)
        self.restored = self.back(self.fake)

    def fit(self, batches):
        for images in batches:
            self.translate(images)
            self.optimizer.zero_grad()
            F.l1_loss(self.restored, images).backward(retain_graph=True)
            self.fake.std().backward()
            self.optimizer.step()
