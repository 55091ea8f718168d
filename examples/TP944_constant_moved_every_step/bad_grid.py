import torch


def shifts(images, count):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    grid = torch.linspace(-1, 1, count)
    found = []
    for image in images:
        moved = grid.to(device)  # expect: TP944:17
        found.append(image.to(device) * moved)
    return found
