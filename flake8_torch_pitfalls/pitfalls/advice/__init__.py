"""TP9: advice, off unless asked for."""
