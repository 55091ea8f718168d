"""A stream of samples that are made by a network."""
from torch import inference_mode, no_grad as without_graph
from torch.utils.data import IterableDataset, get_worker_info


class Replay(IterableDataset):
    def __init__(self, policy, length):
        self.policy = policy
        self.length = length

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info is not None else (0, 1)
        for index in range(worker, self.length, workers):
            with without_graph():
                yield self.policy.sample(index)  # expect: TP128:17


class Player:
    def __init__(self, policy):
        self.policy = policy

    def steps(self, env):
        state = env.reset()
        while state is not None:
            with inference_mode():
                action = self.policy(state)
                state = env.step(action)
                yield state, action  # expect: TP128:17
            env.log(action)

    def episodes(self, envs):
        off = inference_mode()
        with off:
            for env in envs:
                yield from self.steps(env)  # expect: TP128:17
