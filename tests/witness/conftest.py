"""The witnesses run real torch: where it is not installed there is nothing to collect."""
from __future__ import annotations

import importlib.util

collect_ignore_glob = [] if importlib.util.find_spec("torch") else ["test_*.py"]
