from lightning.pytorch import Callback as Callback, LightningDataModule as LightningDataModule, LightningModule as LightningModule, Trainer as Trainer, seed_everything as seed_everything
