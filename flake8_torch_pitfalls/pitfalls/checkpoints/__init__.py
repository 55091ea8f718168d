"""TP0: checkpoints and reproducibility."""
