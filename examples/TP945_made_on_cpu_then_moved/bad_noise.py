import torch
from torch import randn


def sample(generator_net, count):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    generator_net.to(device).eval()
    with torch.inference_mode():
        images = generator_net(randn(count, 128).to(device))  # expect: TP945:32
    mask = torch.ones_like(images).cuda()  # expect: TP945:12
    return images * mask
