"""TP4: devices and CUDA."""
