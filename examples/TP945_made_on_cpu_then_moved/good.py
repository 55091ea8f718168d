"""Made on the device; or of data that come from the CPU."""
import torch


def sample(net, rows, device):
    state = torch.zeros(len(rows), 16, device=device)
    batch = torch.tensor(rows).to(device)
    noise = torch.rand(len(rows), 16, generator=torch.Generator().manual_seed(0)).to(device)
    half = torch.ones(len(rows), 1).to(torch.float16)
    return net(batch, state + noise), half.to("cpu")
