import torch
from torch import nn


def save_state(model, path):
    if isinstance(model, nn.Module):
        model = model.state_dict()
    torch.save(model, path)


def save_object(obj, path):
    state = obj.state_dict() if hasattr(obj, "state_dict") else obj
    torch.save(state, path)


def save_either(obj, path):
    if not isinstance(obj, nn.Module):
        torch.save(obj, path)
    else:
        torch.save(obj.state_dict(), path)


def save_and_return(obj, path):
    if isinstance(obj, (nn.Linear, nn.Sequential)):
        torch.save(obj.state_dict(), path)
        return
    torch.save(obj, path)


net = nn.Linear(2, 2)
save_state(net, "a.pt")
save_object(net, "b.pt")
save_either(net, "c.pt")
save_and_return(net, "d.pt")
