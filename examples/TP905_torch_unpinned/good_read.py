"""Requirements that are read from a file."""
from pathlib import Path

from setuptools import setup

setup(name="torch-tools", install_requires=Path("requirements.txt").read_text().splitlines())
