from lightning.pytorch.loggers import CSVLogger as CSVLogger, Logger as Logger, TensorBoardLogger as TensorBoardLogger, WandbLogger as WandbLogger
