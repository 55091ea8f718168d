"""Training functions: the model comes from a caller, or from nobody in view."""
import collections

import torch
import torch.nn.functional as F


def train(model, loader, optimizer, criterion, device):
    model.train()
    total_loss = 0
    recent = collections.deque(maxlen=100)
    for batch, target in loader:
        batch, target = batch.to(device), target.to(device)
        output = model(batch)
        loss = criterion(output, target)
        total_loss = total_loss + loss * batch.size(0)  # expect: TP103:9
        recent.append(loss)  # expect: TP103:9
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return total_loss / len(loader), sum(recent)


def train_with_parts(encoder, decoder, loader, optimizer):
    sums = {"reconstruction": 0.0, "divergence": 0.0}
    curve = torch.zeros(len(loader))
    for step, images in enumerate(loader):
        mean, log_variance = encoder(images)
        rebuilt = decoder(mean)
        reconstruction = F.mse_loss(rebuilt, images)
        divergence = -0.5 * (1 + log_variance - mean.pow(2) - log_variance.exp()).mean()
        parts = {"reconstruction": reconstruction, "divergence": divergence}
        loss = reconstruction + 0.1 * divergence
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for name, value in parts.items():
            sums[name] += value * images.size(0)  # expect: TP103:13
        curve[step] = loss  # expect: TP103:9
    return sums, curve


def step(model, batch, target, optimizer):
    loss = F.cross_entropy(model(batch), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss, batch.shape[0]


def fit(model, loader, optimizer, epochs):
    epoch_losses = []
    for _ in range(epochs):
        epoch_loss = 0.0
        for batch, target in loader:
            loss, count = step(model, batch, target, optimizer)
            epoch_loss += loss * count  # expect: TP103:13
        epoch_losses.append(float(epoch_loss))
    return epoch_losses


def evaluate(net: torch.nn.Module, loader):
    net.eval()
    val_loss = 0.0
    correct = 0
    for images, labels in loader:
        logits = net(images)  # expect: TP202:18
        val_loss += F.cross_entropy(logits, labels)  # expect: TP103:9
        correct += (logits.argmax(1) == labels).sum()
    return val_loss / len(loader), correct


def scaled(model, loader, optimizer, criterion):
    scaler = torch.amp.GradScaler("cuda")
    kept = {}
    for number, (batch, target) in enumerate(loader):
        with torch.autocast("cuda"):
            loss = criterion(model(batch), target)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        kept[number] = loss  # expect: TP103:9
    return kept
