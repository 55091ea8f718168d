from .base import BaseModel


class VAE(BaseModel):
    def train(self, train_loader=None, num_epochs=100):  # expect: TP222:5
        for _ in range(num_epochs):
            for x in train_loader or ():
                self.encoder(x)
