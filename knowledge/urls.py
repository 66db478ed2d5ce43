"""Pages below `/t/<tenant_slug>/`."""

from django.urls import path

from knowledge.views import bases, document, documents, pictures, reading, versions

_DOCUMENT = "<str:base_slug>/documents/<int:document_id>/"

urlpatterns = [
    path("", bases.bases, name="bases"),
    path("bases/new/", bases.base_new, name="base_new"),
    path("<str:base_slug>/settings/", bases.base_settings, name="base_settings"),
    path("<str:base_slug>/settings/reading/", reading.base_reading, name="base_reading"),
    path("<str:base_slug>/settings/abstracts/", reading.base_abstracts, name="base_abstracts"),
    path("<str:base_slug>/settings/read-again/", reading.base_read_again, name="base_read_again"),
    path("<str:base_slug>/delete/", bases.base_remove, name="base_delete"),
    path("<str:base_slug>/documents/", documents.documents, name="documents"),
    path(_DOCUMENT, document.document, name="document"),
    path(f"{_DOCUMENT}delete/", document.document_remove, name="document_delete"),
    path(f"{_DOCUMENT}approve/", document.document_approve, name="document_approve"),
    path(f"{_DOCUMENT}retry/", document.document_retry, name="document_retry"),
    path(f"{_DOCUMENT}read-again/", reading.document_read_again, name="document_read_again"),
    path(f"{_DOCUMENT}download/", document.document_download, name="document_download"),
    path(f"{_DOCUMENT}versions/", versions.document_versions, name="document_versions"),
    path(f"{_DOCUMENT}versions/compare/", versions.document_compare, name="document_compare"),
    path(f"{_DOCUMENT}versions/<int:number>/", document.document_version, name="document_version"),
    path(
        f"{_DOCUMENT}versions/<int:number>/pages/<int:page>.png",
        pictures.page_picture,
        name="page_picture",
    ),
    path(
        f"{_DOCUMENT}versions/<int:number>/figures/<int:figure>/",
        pictures.figure_picture,
        name="figure_picture",
    ),
    path(
        f"{_DOCUMENT}versions/<int:number>/restore/",
        versions.document_restore,
        name="document_restore",
    ),
]
