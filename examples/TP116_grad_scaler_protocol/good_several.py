"""Several optimizers with one update, and updates that callers make."""
import torch
import torch.nn.functional as F


def adversarial(generator, discriminator, batches):
    opt_g = torch.optim.Adam(generator.parameters())
    opt_d = torch.optim.Adam(discriminator.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for noise, real in batches:
        opt_d.zero_grad()
        loss = discriminator(generator(noise).detach()).mean() - discriminator(real).mean()
        scaler.scale(loss).backward()
        scaler.step(opt_d)
        opt_g.zero_grad()
        scaler.scale(-discriminator(generator(noise)).mean()).backward()
        scaler.step(opt_g)
        scaler.update()


class Engine:
    def __init__(self, model):
        self.model = model
        self.optimizers = [torch.optim.Adam(model.parameters())]
        self.scaler = torch.amp.GradScaler("cuda")

    def backward(self, inputs, targets):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        self.scaler.scale(F.mse_loss(self.model(inputs), targets)).backward()

    def step(self):
        for optimizer in self.optimizers:
            self.scaler.step(optimizer)

    def end_of_batch(self):
        self.scaler.update()


def step(loss, optimizer, scaler: torch.amp.GradScaler):
    """Go backward and step; the caller updates the scaler once all optimizers have stepped."""
    scaler.scale(loss).backward()
    scaler.step(optimizer)
