from timm.models import create_model as create_model, is_model as is_model, list_models as list_models
