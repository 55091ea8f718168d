"""TP7: distributed training."""
