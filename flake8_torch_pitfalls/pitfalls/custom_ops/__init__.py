"""TP8: custom ops."""
