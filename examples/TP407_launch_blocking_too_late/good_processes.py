"""The variable is meant for the programs that are started."""
import os
import subprocess
import sys

import torch

if torch.cuda.is_available():
    for index in range(torch.cuda.device_count()):
        os.environ["CUDA_VISIBLE_DEVICES"] = str(index)
        subprocess.Popen([sys.executable, "worker.py"])
