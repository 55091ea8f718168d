"""LBFGS evaluates the closure several times a step: what it leaves in the gradients adds up."""
import torch


def solve(matrix, target, steps=10):
    solution = torch.zeros(matrix.shape[1], requires_grad=True)
    lbfgs = torch.optim.LBFGS([solution], lr=0.5)

    def closure():
        residual = matrix @ solution - target
        loss = residual.square().sum()
        loss.backward()  # expect: TP101:9
        return loss

    for _ in range(steps):
        lbfgs.step(closure)
    return solution.detach()
