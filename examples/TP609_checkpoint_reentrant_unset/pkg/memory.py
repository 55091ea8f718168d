from typing import Any

import torch.utils.checkpoint


def checkpoint(function: Any, *args: Any, use_reentrant: bool = False) -> Any:
    return torch.utils.checkpoint.checkpoint(function, *args, use_reentrant=use_reentrant)
