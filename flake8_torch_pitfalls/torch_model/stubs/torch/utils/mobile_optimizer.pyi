from typing import Any

from torch.jit import RecursiveScriptModule, ScriptModule

class LintCode:
    BUNDLED_INPUT: LintCode
    REQUIRES_GRAD: LintCode
    DROPOUT: LintCode
    BATCHNORM: LintCode

class MobileOptimizerType:
    name: Any
    value: Any

def generate_mobile_module_lints(script_module: ScriptModule): ...
def optimize_for_mobile(script_module: ScriptModule, optimization_blocklist: set[MobileOptimizerType] | None = None, preserved_methods: list[Any] | None = None, backend: str = 'CPU') -> RecursiveScriptModule: ...
