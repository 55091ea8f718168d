import torch


def read(path, trusted=False):
    options = {"map_location": "cpu"}
    if trusted:
        options["weights_only"] = False
    return torch.load(path, **options)


def read_with(path, **options):
    return torch.load(path, **options)
