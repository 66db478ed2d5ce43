"""All routes. What belongs to a tenant is below `/t/<tenant_slug>/`."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from accounts.views.password_reset import MailedPasswordReset
from config.views import favicon

handler400 = "config.views.bad_request"
handler500 = "config.views.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("accounts.urls")),
    path("t/<str:tenant_slug>/people/", include("accounts.people_urls")),
    path("t/<str:tenant_slug>/", include("retrieval.urls")),
    path("t/<str:tenant_slug>/", include("knowledge.urls")),
    path("accounts/password/reset/", MailedPasswordReset.as_view(), name="account_reset_password"),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
    path("favicon.ico", favicon, name="favicon"),
]
