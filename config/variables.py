"""Every environment variable Cairn reads, declared once.

`.env.example` is held to this list, both ways, by tests/config/test_env_example.py; defaults are
written as a person would write them in that file and are read by the same code as a given value.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable: its default as text, its unit or form, and its meaning in one sentence."""

    name: str
    default: str
    unit: str
    meaning: str
    secret: bool = False


VARIABLES = (
    # Where things are
    Variable(
        "CAIRN_DATA_DIR",
        "var",
        "directory, relative to manage.py",
        "The generated secret key, the embedded database and the logs of make demo.",
    ),
    Variable(
        "DATABASE_URL",
        "",
        "postgres://user:password@host:5432/name",
        "PostgreSQL 15 or newer with pgvector 0.8; empty starts the embedded one.",
        secret=True,
    ),
    Variable(
        "CAIRN_DATABASE_PASSWORD",
        "",
        "text",
        "The password for DATABASE_URL when it is not part of it; needs no percent-encoding.",
        secret=True,
    ),
    Variable(
        "CAIRN_DATABASE_POOL_SIZE",
        "8",
        "connections a process",
        "The most database connections one process keeps.",
    ),
    Variable(
        "CAIRN_REDIS_URL",
        "",
        "redis://host:6379/0",
        "The broker of background tasks; empty keeps the queue in PostgreSQL.",
        secret=True,
    ),
    # Safety
    Variable(
        "CAIRN_SECRET_KEY",
        "",
        "text of 32 characters or more",
        "Signs sessions and tasks; empty generates one in the data directory on the first run.",
        secret=True,
    ),
    Variable("CAIRN_DEBUG", "off", "on or off", "Shows error details to everyone; never online."),
    Variable(
        "CAIRN_ALLOWED_HOSTS",
        "localhost,127.0.0.1,[::1]",
        "host names, comma-separated",
        "The names under which browsers may reach the site.",
    ),
    Variable(
        "CAIRN_CSRF_TRUSTED_ORIGINS",
        "",
        "origins with scheme, comma-separated",
        "Origins whose forms are accepted behind a proxy, such as https://cairn.example.com.",
    ),
    Variable(
        "CAIRN_HTTPS",
        "off",
        "on or off",
        "The site is reached through HTTPS: secure cookies, HSTS, trust in X-Forwarded-Proto.",
    ),
    Variable(
        "CAIRN_TRUSTED_PROXIES",
        "0",
        "proxies",
        "Proxies that append to X-Forwarded-For; failed sign-ins count by the address it tells.",
    ),
    # Web and background processes
    Variable("CAIRN_BIND", "127.0.0.1", "IP address", "The address the web server listens on."),
    Variable("CAIRN_PORT", "8000", "TCP port", "The port the web server listens on."),
    Variable("CAIRN_WEB_WORKERS", "2", "processes", "Web server processes."),
    Variable(
        "CAIRN_WEB_THREADS",
        "96",
        "threads a process",
        "Requests one web process serves at once; a streamed answer holds one.",
    ),
    Variable(
        "CAIRN_ANSWER_THREADS",
        "64",
        "answers a process",
        "Answers one web process works on at once; others wait their turn.",
    ),
    Variable("CAIRN_TASK_WORKERS", "2", "processes", "Background processes that ingest documents."),
    Variable(
        "CAIRN_TASK_TIMEOUT_S",
        "1800",
        "seconds",
        "The longest a background task may run before it is ended and tried again.",
    ),
    Variable(
        "CAIRN_TASK_SILENCE_S",
        "60",
        "seconds",
        "A worker that has not been heard of for this long is taken for dead; its task goes on.",
    ),
    # Language models
    Variable(
        "CAIRN_LLM_BASE_URL",
        "",
        "http(s)://host:port/v1",
        "A server that speaks OpenAI's chat completions; without one, sentences are quoted.",
    ),
    Variable("CAIRN_LLM_API_KEY", "", "text", "The key for that server.", secret=True),
    Variable("CAIRN_LLM_MODEL", "", "the server's name of a model", "The model that answers."),
    Variable(
        "CAIRN_LLM_VISION_MODEL",
        "",
        "the server's name of a model",
        "The model that describes figures, perhaps the same one if it sees; empty has none.",
    ),
    Variable(
        "CAIRN_LLM_TIMEOUT_S",
        "120",
        "seconds",
        "The longest one call of the model may take, with its repetitions.",
    ),
    Variable(
        "CAIRN_PRICE_INPUT_PER_MTOK",
        "",
        "a number, for 1,000,000 tokens",
        "What that model costs for what it reads, to tell a price before documents are summed up.",
    ),
    Variable(
        "CAIRN_PRICE_OUTPUT_PER_MTOK",
        "",
        "a number, for 1,000,000 tokens",
        "What that model costs for what it writes; no price is told unless both are given.",
    ),
    Variable("CAIRN_PRICE_CURRENCY", "USD", "text", "The currency of these prices."),
    Variable(
        "CAIRN_RUN_MAX_TOKENS",
        "120000",
        "tokens",
        "The most that one question may spend on the model; it ends in an answer or says why not.",
    ),
    Variable("CAIRN_RUN_MAX_CALLS", "40", "calls", "The most calls of the model for one question."),
    Variable("CAIRN_RUN_MAX_SECONDS", "300", "seconds", "The longest that one question may take."),
    Variable(
        "CAIRN_EXPERIENCE_MIN_HISTORY",
        "50",
        "learnt questions a base",
        "From so many on, the preset viking-e-plus relies on one search; before, the agent works.",
    ),
    # Documents
    Variable(
        "CAIRN_EMBEDDER",
        "bundled",
        "bundled or hashing",
        "What turns text into vectors: the bundled model, or word hashes for tests.",
    ),
    Variable(
        "CAIRN_EMBEDDING_BASE_URL",
        "",
        "http(s)://host:port/v1",
        "A server that embeds instead of CAIRN_EMBEDDER, by OpenAI's API; empty has none.",
    ),
    Variable("CAIRN_EMBEDDING_API_KEY", "", "text", "The key for that server.", secret=True),
    Variable("CAIRN_EMBEDDING_MODEL", "", "the server's name of a model", "The model that embeds."),
    Variable(
        "CAIRN_EMBEDDING_DIMENSIONS",
        "1024",
        "numbers a vector, 1 to 4000",
        "The length of that model's vectors.",
    ),
    Variable(
        "CAIRN_EMBEDDING_MAX_TOKENS",
        "512",
        "tokens",
        "How much of one text that model reads; the rest of a longer one is left out.",
    ),
    Variable("CAIRN_EMBEDDING_BATCH", "32", "texts", "The most texts of one request."),
    Variable(
        "CAIRN_EMBEDDING_QUERY_PREFIX",
        "",
        "text",
        "What that model wants before a question, such as query: for E5.",
    ),
    Variable(
        "CAIRN_EMBEDDING_PASSAGE_PREFIX",
        "",
        "text",
        "What that model wants before a passage, such as passage: for E5.",
    ),
    Variable(
        "CAIRN_PRICE_EMBEDDING_PER_MTOK",
        "",
        "any currency for 1,000,000 tokens",
        "What that model costs, to show a price before all is embedded anew; empty shows none.",
    ),
    Variable("CAIRN_UPLOAD_MAX_MB", "50", "MiB (1,048,576 bytes)", "The largest file accepted."),
    Variable(
        "CAIRN_ARCHIVE_MAX_MB",
        "512",
        "MiB",
        "The most that the files of one zip archive may have together, unpacked.",
    ),
    Variable(
        "CAIRN_ARCHIVE_MAX_FILES", "2000", "files", "The most files one zip archive may have."
    ),
    Variable(
        "CAIRN_PARSE_TIMEOUT_S", "120", "seconds", "The longest that reading one file may take."
    ),
    Variable(
        "CAIRN_PARSE_MEMORY_MB",
        "1536",
        "MiB a background process",
        "The most memory that reading one file may take.",
    ),
    Variable(
        "CAIRN_CHUNK_MAX_TOKENS", "1000", "tokens", "The most tokens a passage of the index has."
    ),
    Variable(
        "CAIRN_CHUNK_TARGET_TOKENS",
        "240",
        "tokens",
        "The size at which a passage of the index is closed.",
    ),
    # Mail and language
    Variable(
        "CAIRN_EMAIL_URL",
        "",
        "smtp+tls://user:password@host:587",
        "The mail server; empty prints mails in the web server's log.",
        secret=True,
    ),
    Variable(
        "CAIRN_EMAIL_FROM", "cairn@localhost", "mail address", "The sender of Cairn's own mails."
    ),
    Variable("CAIRN_TIME_ZONE", "UTC", "IANA name", "The time zone in which times are shown."),
    Variable("CAIRN_LANGUAGE_CODE", "en", "language code", "The language of the pages."),
)

BY_NAME = {variable.name: variable for variable in VARIABLES}
