"""TP6: torch.compile, tracing and export."""
