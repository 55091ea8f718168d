import sys

import torch
from torchvision import transforms
from PIL import Image


def load_network(path, device):
    network = torch.load(path, map_location=device)  # expect: TP008:15
    network.eval()
    return network


@torch.no_grad()
def classify(path, image, device="cpu"):
    network = load_network(path, device)
    picture = transforms.ToTensor()(Image.open(image)).unsqueeze(0).to(device)
    return network(picture).argmax(1).item()


@torch.no_grad()
def embed(path, batch):
    encoder = torch.load(path)["encoder"].to(batch.device)  # expect: TP008:15
    return encoder(batch)


if __name__ == "__main__":
    print(classify(sys.argv[1], sys.argv[2]))
