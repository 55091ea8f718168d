"""The rules: one file each, one folder per area. See pitfall.py for what a file holds."""
