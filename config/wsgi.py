"""The WSGI application; importing it starts the embedded database where one is used."""

from __future__ import annotations

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config import embedded_database, first_run
from config.env import read_environment, select_settings
from config.health import with_health_check

ENV = read_environment()
first_run.prepare(ENV)
first_run.refuse_weak_secret_key(ENV)
if ENV.database.embedded:
    embedded_database.ensure_running(ENV.data_dir)

select_settings()
# Only the web server has many threads that come and go; commands and the worker keep one
# connection each, and a pool's threads would not survive the worker's forks.
settings.DATABASES["default"]["OPTIONS"] = {"pool": settings.DATABASE_POOL}
# A restart of the database leaves the pool with dead connections, each of which would break a page.
settings.DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
application = with_health_check(get_wsgi_application())
