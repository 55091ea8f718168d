from torch import nn


class AutoEncoder(nn.Module):
    def __init__(self, width, code):
        super().__init__()
        encoder = nn.Linear(width, code)
        decoder = nn.Linear(code, width)
        decoder.weight = nn.Parameter(encoder.weight.t())  # expect: TP221:26
        self.encoder, self.decoder = encoder, decoder

    def forward(self, x):
        return self.decoder(self.encoder(x))
