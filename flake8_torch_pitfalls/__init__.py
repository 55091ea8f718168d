"""A flake8 plugin that finds the mistakes PyTorch lets pass in silence."""
from flake8_torch_pitfalls.checker import Checker

__all__ = ["Checker", "__version__"]
__version__ = "0.1.0"
