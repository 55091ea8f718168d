"""The training loop is somewhere else; ``learn`` goes backward and steps, and nobody clears."""
import torch

from .policy import Policy


class Reinforce(Policy):
    def returns(self, gamma):
        total, found = 0.0, []
        for reward in reversed(self.rewards):
            total = reward + gamma * total
            found.insert(0, total)
        return torch.tensor(found)

    def learn(self, gamma=0.99):
        returns = self.returns(gamma)
        loss = -(torch.stack(self.log_probs) * returns).sum()
        loss.backward()  # expect: TP101:9
        self.optimizer.step()
        self.log_probs.clear()
        self.rewards.clear()
        return loss.item()
