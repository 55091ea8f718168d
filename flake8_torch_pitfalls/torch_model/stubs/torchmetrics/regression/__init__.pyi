from typing import Any

from torchmetrics import Metric

class MeanAbsoluteError(Metric):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class MeanSquaredError(Metric):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class MeanAbsolutePercentageError(Metric):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class R2Score(Metric):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class PearsonCorrCoef(Metric):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class SpearmanCorrCoef(Metric):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class CosineSimilarity(Metric):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class ExplainedVariance(Metric):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class KLDivergence(Metric):
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...
