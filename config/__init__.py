"""The Django project: environment, settings, routes and the embedded database."""
