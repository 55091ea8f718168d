"""Actors are processes of their own class; the learner has used the GPU when it makes them."""
import multiprocessing

import torch
from torch import nn


class Actor(multiprocessing.Process):
    def __init__(self, number, queue):
        super().__init__()
        self.number = number
        self.queue = queue

    def run(self):
        state = torch.zeros(4).to("cuda")  # expect: TP945:17
        self.queue.put(state.sum().item())


class Learner:
    def __init__(self):
        self.policy = nn.Linear(4, 2)

    def start(self, count):
        self.policy.to("cuda:0")  # expect: TP942:9
        queue = multiprocessing.Queue()
        actors = [Actor(number, queue) for number in range(count)]  # expect: TP502:19
        for actor in actors:
            actor.start()
        context = multiprocessing.get_context("fork")
        watcher = context.Process(target=watch, daemon=True)  # expect: TP502:19
        watcher.start()


def watch():
    print(torch.cuda.mem_get_info())
