import torch
from fastapi import FastAPI
from torch import nn

app = FastAPI()
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
model.load_state_dict(torch.load("model.pt", map_location="cpu"))
model.eval()


@app.post("/predict")
def predict(values: list[float]):
    scores = model(torch.tensor(values)).softmax(-1)  # expect: TP202:14
    return {"label": int(scores.argmax()), "score": scores.max().item()}
