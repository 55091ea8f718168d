from torch.distributed.algorithms import Join as Join, JoinHook as JoinHook, Joinable as Joinable
