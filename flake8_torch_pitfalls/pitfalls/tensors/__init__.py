"""TP3: shapes, strides and memory format."""
