"""TP5: data loading."""
