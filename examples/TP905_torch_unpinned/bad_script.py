# /// script
# requires-python = ">=3.10"
# dependencies = [
#     "rich>=13",
#     "torch",  # expect: TP905:7
# ]
# ///
import torch
from rich import print

print(torch.__version__)
