from django.apps import AppConfig
from django.db.models.signals import pre_delete


class RetrievalConfig(AppConfig):
    name = "retrieval"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from knowledge.models import Document
        from retrieval.services.erasure import forget_quotes

        pre_delete.connect(forget_quotes, sender=Document)
