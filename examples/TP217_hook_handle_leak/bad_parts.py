from torch import nn


def watch(model, batches, show):
    model = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
    while True:
        for layer in model.modules():
            if isinstance(layer, nn.Linear):
                layer.register_forward_hook(show)  # expect: TP217:17
        model(next(batches))


def watch_once(layers, show):
    for _ in range(3):
        for layer in nn.Sequential(*layers).children():
            layer.register_forward_hook(show)
