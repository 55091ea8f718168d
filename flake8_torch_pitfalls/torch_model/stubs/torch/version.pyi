from typing import Any

__version__: str
cuda: Any
debug: bool
git_version: str
hip: Any
