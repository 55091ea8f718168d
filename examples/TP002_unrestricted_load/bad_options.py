import torch

options = dict(map_location="cpu", weights_only=False)
first = torch.load("first.pt", **options)  # expect: TP002:9
second = torch.load("second.pt", **{"weights_only": False})  # expect: TP002:53
