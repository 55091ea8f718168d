"""``python -m flake8_torch_pitfalls``."""
import sys

from flake8_torch_pitfalls.cli import main

if __name__ == "__main__":
    sys.exit(main())
