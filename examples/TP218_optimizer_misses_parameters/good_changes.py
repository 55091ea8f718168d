"""Changes that keep the parameters, bring none, or are followed by another optimizer or none at all."""
import torch
from torch import nn, optim


def train(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def moved(loader):
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = optim.Adam(model.parameters())
    model = model.double()
    model = nn.parallel.DistributedDataParallel(model)
    model = torch.compile(model)
    train(model, optimizer, loader)


def wrapped_head(model: nn.Module, loader):
    optimizer = optim.Adam(model.parameters())
    model.head = nn.Sequential(nn.Dropout(0.5), model.head)
    model.activation = nn.ReLU()
    train(model, optimizer, loader)


def made_anew(model: nn.Module, loader):
    optimizer = optim.Adam(model.parameters())
    train(model, optimizer, loader)
    model.head = nn.Linear(8, 1)
    optimizer = optim.Adam(model.parameters(), lr=1e-4)
    train(model, optimizer, loader)


def folds(loaders, test):
    for loader in loaders:
        model = nn.Linear(4, 1)
        optimizer = optim.SGD(model.parameters(), lr=0.1)
        train(model, optimizer, loader)
        torch.save(model.state_dict(), "fold.pt")
        model = nn.Linear(4, 1)
        model.load_state_dict(torch.load("fold.pt"))
        model.eval()
        with torch.no_grad():
            print([model(x) for x, _ in test])


def grown(model: nn.Module, loader):
    optimizer = optim.Adam(model.parameters())
    train(model, optimizer, loader)
    model.extra = nn.Linear(8, 8)
    extra_optimizer = optim.Adam(model.extra.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        extra_optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        extra_optimizer.step()


def several_times(model: nn.Module):
    params = list(model.parameters())
    print("parameters:", sum(p.numel() for p in params))
    return optim.SGD(params, lr=0.1), optim.Adam(params)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Linear(4, 2)
        self.optimizer = optim.Adagrad(self.online.parameters())
        self.target = nn.Linear(4, 2)
        self.target.load_state_dict(self.online.state_dict())

    def learn(self, state, value):
        self.optimizer.zero_grad()
        nn.functional.mse_loss(self.online(state), value).backward()
        self.optimizer.step()


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = nn.Linear(4, 2)
        self.actor_optimizer = optim.Adam(self.parameters())
        self.critic = nn.Linear(4, 1)
        self.critic_optimizer = optim.Adam(self.critic.parameters())

    def learn(self, state, advantage):
        self.actor_optimizer.zero_grad()
        self.critic_optimizer.zero_grad()
        (self.actor(state).mean() * advantage + self.critic(state).mean()).backward()
        self.actor_optimizer.step()
        self.critic_optimizer.step()
