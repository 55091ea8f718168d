from typing import Any

from torch import Tensor, device

class DLDeviceType:
    kDLCPU: DLDeviceType
    kDLCUDA: DLDeviceType
    kDLCUDAHost: DLDeviceType
    kDLOpenCL: DLDeviceType
    kDLVulkan: DLDeviceType
    kDLMetal: DLDeviceType
    kDLVPI: DLDeviceType
    kDLROCM: DLDeviceType
    kDLROCMHost: DLDeviceType
    kDLExtDev: DLDeviceType
    kDLCUDAManaged: DLDeviceType
    kDLOneAPI: DLDeviceType
    kDLWebGPU: DLDeviceType
    kDLHexagon: DLDeviceType
    kDLMAIA: DLDeviceType

def from_dlpack(ext_tensor: Any, *, device: device | str | int | None = None, copy: bool | None = None) -> Tensor: ...
def to_dlpack(data: Tensor, dl_device: tuple[Any, int] | None = None, copy: bool | None = None) -> Any: ...
