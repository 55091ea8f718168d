from lightning.fabric import Fabric as Fabric, seed_everything as seed_everything
from lightning.pytorch import Callback as Callback, LightningDataModule as LightningDataModule, LightningModule as LightningModule, Trainer as Trainer
