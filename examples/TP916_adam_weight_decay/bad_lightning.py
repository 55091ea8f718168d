import lightning
from torch import nn
from torch.optim import Adam


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(64, 5)

    def configure_optimizers(self):
        return Adam(  # expect: TP916:16
            self.parameters(),
            lr=1e-3,
            weight_decay=0.05,
        )
