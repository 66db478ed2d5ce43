"""The environment as one frozen value; nothing else in Cairn reads `os.environ`.

    ENV = read_environment()

Values come from the process environment, else from the `.env` file beside manage.py, else from the
defaults in config/variables.py. `CAIRN_ENV_FILE` names another file, or none when it is `off`.
"""

from __future__ import annotations

import difflib
import os
import re
import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

from config import embedded_database
from config.database_address import DatabaseAddress, parse_database_url
from config.email_server import EmailServer, parse_email_url
from config.env_file import read_env_file
from config.env_values import InvalidEnvironment, Values
from config.variables import BY_NAME
from knowledge.embedding.server_options import MOST_DIMENSIONS, ServerOptions
from knowledge.model_server.base_url import check_base_url

__all__ = [
    "PROJECT_DIR",
    "Environment",
    "InvalidEnvironment",
    "read_environment",
    "select_settings",
]

PROJECT_DIR = Path(__file__).resolve().parent.parent
ENV_FILE_VARIABLE = "CAIRN_ENV_FILE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What the operator decided; the meaning of each field is told in config/variables.py."""

    data_dir: Path
    database: DatabaseAddress
    database_pool_size: int
    redis_url: str = field(repr=False)
    secret_key: str = field(repr=False)
    debug: bool
    allowed_hosts: tuple[str, ...]
    csrf_trusted_origins: tuple[str, ...]
    https: bool
    trusted_proxies: int
    bind: str
    port: int
    web_workers: int
    web_threads: int
    answer_threads: int
    task_workers: int
    task_timeout_s: int
    task_silence_s: int
    llm_base_url: str
    llm_api_key: str = field(repr=False)
    llm_model: str
    llm_vision_model: str
    llm_timeout_s: int
    price_input_per_mtok: float | None
    price_output_per_mtok: float | None
    price_currency: str
    run_max_tokens: int
    run_max_calls: int
    run_max_seconds: int
    experience_min_history: int
    embedder: Literal["bundled", "hashing"]
    embedding_server: ServerOptions | None
    price_embedding_per_mtok: float | None
    upload_max_mb: int
    archive_max_mb: int
    archive_max_files: int
    parse_timeout_s: int
    parse_memory_mb: int
    chunk_max_tokens: int
    chunk_target_tokens: int
    email: EmailServer | None
    email_from: str
    time_zone: str
    language_code: str


def read_environment(environ: Mapping[str, str] | None = None) -> Environment:
    """Return the environment in `environ`, or the process's own with the `.env` file under it.

    Raises InvalidEnvironment with a sentence that names the variable.
    """
    values = Values(_process_environment() if environ is None else environ)
    data_dir = _data_dir(values)
    chunk_max_tokens = values.integer("CAIRN_CHUNK_MAX_TOKENS", minimum=50, maximum=8_000)
    return Environment(
        data_dir=data_dir,
        database=_database(values, data_dir),
        database_pool_size=values.integer("CAIRN_DATABASE_POOL_SIZE", minimum=1, maximum=500),
        redis_url=values.text("CAIRN_REDIS_URL"),
        secret_key=values.text("CAIRN_SECRET_KEY"),
        debug=values.flag("CAIRN_DEBUG"),
        allowed_hosts=values.items("CAIRN_ALLOWED_HOSTS"),
        csrf_trusted_origins=_origins(values),
        https=values.flag("CAIRN_HTTPS"),
        trusted_proxies=values.integer("CAIRN_TRUSTED_PROXIES", minimum=0, maximum=10),
        bind=values.text("CAIRN_BIND"),
        port=values.integer("CAIRN_PORT", minimum=1, maximum=65_535),
        web_workers=values.integer("CAIRN_WEB_WORKERS", minimum=1, maximum=64),
        web_threads=values.integer("CAIRN_WEB_THREADS", minimum=1, maximum=512),
        answer_threads=values.integer("CAIRN_ANSWER_THREADS", minimum=1, maximum=512),
        task_workers=values.integer("CAIRN_TASK_WORKERS", minimum=1, maximum=64),
        task_timeout_s=values.integer("CAIRN_TASK_TIMEOUT_S", minimum=60, maximum=86_400),
        task_silence_s=values.integer("CAIRN_TASK_SILENCE_S", minimum=1, maximum=86_400),
        llm_base_url=_base_url(values),
        llm_api_key=values.text("CAIRN_LLM_API_KEY"),
        llm_model=values.text("CAIRN_LLM_MODEL"),
        llm_vision_model=values.text("CAIRN_LLM_VISION_MODEL"),
        llm_timeout_s=values.integer("CAIRN_LLM_TIMEOUT_S", minimum=1, maximum=3_600),
        price_input_per_mtok=values.parsed("CAIRN_PRICE_INPUT_PER_MTOK", _price),
        price_output_per_mtok=values.parsed("CAIRN_PRICE_OUTPUT_PER_MTOK", _price),
        price_currency=values.text("CAIRN_PRICE_CURRENCY"),
        run_max_tokens=values.integer("CAIRN_RUN_MAX_TOKENS", minimum=4_000, maximum=10_000_000),
        run_max_calls=values.integer("CAIRN_RUN_MAX_CALLS", minimum=1, maximum=1_000),
        run_max_seconds=values.integer("CAIRN_RUN_MAX_SECONDS", minimum=5, maximum=3_600),
        experience_min_history=values.integer(
            "CAIRN_EXPERIENCE_MIN_HISTORY", minimum=0, maximum=100_000
        ),
        embedder=cast(
            Literal["bundled", "hashing"], values.choice("CAIRN_EMBEDDER", ("bundled", "hashing"))
        ),
        embedding_server=_embedding_server(values),
        price_embedding_per_mtok=values.parsed("CAIRN_PRICE_EMBEDDING_PER_MTOK", _price),
        upload_max_mb=values.integer("CAIRN_UPLOAD_MAX_MB", minimum=1, maximum=2_000),
        archive_max_mb=values.integer("CAIRN_ARCHIVE_MAX_MB", minimum=1, maximum=100_000),
        archive_max_files=values.integer("CAIRN_ARCHIVE_MAX_FILES", minimum=1, maximum=10_000),
        parse_timeout_s=values.integer("CAIRN_PARSE_TIMEOUT_S", minimum=5, maximum=3_600),
        parse_memory_mb=values.integer("CAIRN_PARSE_MEMORY_MB", minimum=256, maximum=65_536),
        chunk_max_tokens=chunk_max_tokens,
        chunk_target_tokens=values.integer(
            "CAIRN_CHUNK_TARGET_TOKENS", minimum=20, maximum=chunk_max_tokens
        ),
        email=values.parsed("CAIRN_EMAIL_URL", parse_email_url),
        email_from=values.text("CAIRN_EMAIL_FROM"),
        time_zone=_time_zone(values),
        language_code=values.text("CAIRN_LANGUAGE_CODE"),
    )


def select_settings() -> None:
    """Name Django's settings module, unless the process was started with another.

    Also tells the bundled embedder's threads to sleep rather than spin while they wait: two
    processes on two cores were measured to embed with 30 % less processor time.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def _process_environment() -> dict[str, str]:
    """Return the `.env` file's values overlaid with the process's own, empty ones included."""
    chosen = os.environ.get(ENV_FILE_VARIABLE, "").strip()
    if chosen == "off":
        return dict(os.environ)
    path = Path(chosen) if chosen else PROJECT_DIR / ".env"
    if not chosen and not path.is_file():
        return dict(os.environ)
    stored = read_env_file(path)
    for name in stored:
        _refuse_misspelt(name, path)
    return stored | dict(os.environ)


def _refuse_misspelt(name: str, path: Path) -> None:
    """Refuse an unknown CAIRN_ name in the file; the process may hold names of other software."""
    known = [*BY_NAME, *(f"{v.name}_FILE" for v in BY_NAME.values() if v.secret)]
    if not name.startswith("CAIRN_") or name in known:
        return
    near = difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise InvalidEnvironment(f"{name} in {path} is no variable of Cairn.{hint}")


def _data_dir(values: Values) -> Path:
    return (PROJECT_DIR / Path(values.text("CAIRN_DATA_DIR")).expanduser()).resolve()


def _database(values: Values, data_dir: Path) -> DatabaseAddress:
    given = values.parsed("DATABASE_URL", parse_database_url)
    password = values.text("CAIRN_DATABASE_PASSWORD")
    if given is None:
        return embedded_database.address(data_dir)
    if given.password and password:
        raise InvalidEnvironment(
            "DATABASE_URL and CAIRN_DATABASE_PASSWORD both hold a password; remove one."
        )
    return given.with_password(password) if password else given


def _base_url(values: Values) -> str:
    url = values.text("CAIRN_LLM_BASE_URL")
    if url and not values.text("CAIRN_LLM_MODEL"):
        raise InvalidEnvironment("CAIRN_LLM_BASE_URL needs CAIRN_LLM_MODEL, the model's name.")
    if url and not url.startswith(("http://", "https://")):
        raise InvalidEnvironment("CAIRN_LLM_BASE_URL must start with http:// or https://.")
    return url


def _origins(values: Values) -> tuple[str, ...]:
    origins = values.items("CAIRN_CSRF_TRUSTED_ORIGINS")
    for origin in origins:
        if not origin.startswith(("http://", "https://")):
            raise InvalidEnvironment(
                f"CAIRN_CSRF_TRUSTED_ORIGINS: {origin!r} must start with http:// or https://."
            )
    return origins


def _embedding_server(values: Values) -> ServerOptions | None:
    options = ServerOptions(
        base_url=values.parsed("CAIRN_EMBEDDING_BASE_URL", check_base_url) or "",
        api_key=values.text("CAIRN_EMBEDDING_API_KEY"),
        model=values.text("CAIRN_EMBEDDING_MODEL"),
        dimensions=values.integer("CAIRN_EMBEDDING_DIMENSIONS", minimum=1, maximum=MOST_DIMENSIONS),
        max_tokens=values.integer("CAIRN_EMBEDDING_MAX_TOKENS", minimum=32, maximum=100_000),
        batch=values.integer("CAIRN_EMBEDDING_BATCH", minimum=1, maximum=2_048),
        query_prefix=values.text("CAIRN_EMBEDDING_QUERY_PREFIX"),
        passage_prefix=values.text("CAIRN_EMBEDDING_PASSAGE_PREFIX"),
    )
    if options.base_url and not options.model:
        raise InvalidEnvironment(
            "CAIRN_EMBEDDING_BASE_URL needs CAIRN_EMBEDDING_MODEL, the model's name."
        )
    return options if options.base_url else None


def _price(text: str) -> float:
    """Return a price. Raises ValueError for what is none, such as -1, nan or 1e999."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        raise ValueError("must be a number such as 0.02")
    return float(text)


def _time_zone(values: Values) -> str:
    name = values.text("CAIRN_TIME_ZONE")
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidEnvironment(
            f"CAIRN_TIME_ZONE must be a name such as Europe/Berlin, not {name!r}."
        ) from error
    return name
