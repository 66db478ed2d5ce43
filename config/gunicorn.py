"""How gunicorn serves Cairn: `gunicorn -c python:config.gunicorn config.wsgi`.

Threads, because a streamed answer holds one for its whole length; the generators are synchronous
(docs/architecture.md), so an ASGI server would buffer them.
"""

from pathlib import Path

from config.env import read_environment

_env = read_environment()

bind = f"{_env.bind}:{_env.port}"
workers = _env.web_workers
worker_class = "gthread"
threads = _env.web_threads
# A thread that waits for a model is busy for minutes; the worker's own heartbeat is another thread.
timeout = 120
graceful_timeout = 30
# Above the idle time after which common proxies reuse a connection, or they meet a closed one.
keepalive = 75
# Workers touch a file as a sign of life; on a disk under load that stalls them.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
accesslog = None
# It would lie in the home folder: missing in the container, and one for all copies of Cairn.
control_socket_disable = True
forwarded_allow_ips = "*" if _env.https else "127.0.0.1"
