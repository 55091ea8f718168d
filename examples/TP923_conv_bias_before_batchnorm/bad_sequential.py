from torch import nn

stem = nn.Sequential(
    nn.Conv2d(3, 32, kernel_size=3, stride=2),  # expect: TP923:5
    nn.BatchNorm2d(32),
    nn.ReLU(),
)


def up(channels: int) -> list[nn.Module]:
    layers: list[nn.Module] = [nn.ConvTranspose2d(channels, channels // 2, 2, 2), nn.ReLU()]
    layers += [nn.Conv2d(channels // 2, channels // 2, 3, bias=True), nn.BatchNorm2d(channels // 2)]
    return layers


decoder = nn.Sequential(*[nn.Conv1d(8, 8, 3), nn.BatchNorm1d(8)])  # expect: TP923:27
