import gymnasium as gym
import torch
from torch import nn

policy = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 2))
policy.load_state_dict(torch.load("policy.pt"))
policy.eval()

env = gym.make("CartPole-v1")
observation, _ = env.reset()
done = False
while not done:
    logits = policy(torch.as_tensor(observation))  # expect: TP202:14
    observation, _, terminated, truncated, _ = env.step(logits.argmax().item())
    done = terminated or truncated
