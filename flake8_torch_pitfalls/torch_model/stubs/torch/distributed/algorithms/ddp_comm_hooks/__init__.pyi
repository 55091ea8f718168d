class DDPCommHookType:
    ALLREDUCE: DDPCommHookType
    FP16_COMPRESS: DDPCommHookType
    BF16_COMPRESS: DDPCommHookType
    QUANTIZE_PER_TENSOR: DDPCommHookType
    QUANTIZE_PER_CHANNEL: DDPCommHookType
    POWER_SGD: DDPCommHookType
    POWER_SGD_RANK2: DDPCommHookType
    BATCHED_POWER_SGD: DDPCommHookType
    BATCHED_POWER_SGD_RANK2: DDPCommHookType
    NOOP: DDPCommHookType

def register_ddp_comm_hook(comm_hook_type: DDPCommHookType, model, state=None): ...
