"""The admin's app config; apart from its site, which needs the models."""

from django.contrib.admin.apps import AdminConfig


class CairnAdminConfig(AdminConfig):
    default_site = "config.admin_site.CairnAdminSite"
