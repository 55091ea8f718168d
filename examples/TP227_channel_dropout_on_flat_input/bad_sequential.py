from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.Dropout2d(0.1), nn.AdaptiveAvgPool2d(4))
        self.classifier = nn.Sequential(
            nn.Flatten(),
            nn.Linear(256, 64),
            nn.BatchNorm1d(64),
            nn.ReLU(inplace=True),
            nn.Dropout2d(0.5),  # expect: TP227:13
            nn.Linear(64, classes),
        )

    def forward(self, images):
        return self.classifier(self.features(images))


class LateFlattening(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [nn.Linear(256, 64), nn.ReLU()]
        layers.append(nn.Dropout3d(0.3))  # expect: TP227:23
        self.head = nn.Sequential(*layers)

    def forward(self, maps):
        return self.head(maps.flatten(1))
