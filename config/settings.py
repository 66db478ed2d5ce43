"""Django settings. Only config/env.py reads the environment; see .env.example for each variable."""

from config.env import PROJECT_DIR, read_environment
from config.first_run import secret_key

ENV = read_environment()

BASE_DIR = PROJECT_DIR
DATA_DIR = ENV.data_dir
DEBUG = ENV.debug
SECRET_KEY = secret_key(ENV)
ALLOWED_HOSTS = list(ENV.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(ENV.csrf_trusted_origins)

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "config.admin_app.CairnAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_htmx",
    "django_q",
    "rest_framework",
    "allauth",
    "allauth.account",
    "accounts",
    "knowledge",
    "retrieval",
    "config",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.content_security_policy.ContentSecurityPolicyMiddleware",
    "config.static_files.KeepVersionedFilesMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.delivery.HeadWithoutBodyMiddleware",
    "config.delivery.PrivateResponsesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context_processors.company",
            ],
        },
    }
]

# No ATOMIC_REQUESTS and no CONN_MAX_AGE: transactions are short and opened where they are needed
# (accounts.tenancy), and a streamed answer must not hold a connection. config/wsgi.py adds a pool.
DATABASES = {
    "default": {
        "ENGINE": "accounts.postgresql",
        "NAME": ENV.database.name,
        "USER": ENV.database.user,
        "PASSWORD": ENV.database.password,
        "HOST": ENV.database.host,
        "PORT": ENV.database.port,
        "OPTIONS": {},
    }
}
# Used by web processes only (config/wsgi.py): a pool does not survive the forks of the task queue.
DATABASE_POOL = {"min_size": 1, "max_size": ENV.database_pool_size, "timeout": 10}

CACHES = {
    # Shared by web processes and worker, without another server to run.
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cairn_cache",
        # Past that a third of the rows goes, counts of failed sign-ins with them; Django's 300 are
        # what one person guessing makes.
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
    # The worker's signs of life, two a second: no rows for the database to clean up, and they go
    # on after the database was restarted, while django-q2 keeps its dead connection for the cache.
    "queue": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": DATA_DIR / "queue",
    },
}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapter.ClosedSignupAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
# Only failed sign-ins are counted (accounts/adapter.py).
ACCOUNT_RATE_LIMITS = {"login": None}
ALLAUTH_TRUSTED_PROXY_COUNT = ENV.trusted_proxies

if ENV.email is None:
    EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
else:
    EMAIL_HOST = ENV.email.host
    EMAIL_PORT = ENV.email.port
    EMAIL_HOST_USER = ENV.email.user
    EMAIL_HOST_PASSWORD = ENV.email.password
    EMAIL_USE_TLS = ENV.email.use_tls
    EMAIL_USE_SSL = ENV.email.use_ssl
DEFAULT_FROM_EMAIL = ENV.email_from

LANGUAGE_CODE = ENV.language_code
TIME_ZONE = ENV.time_zone
USE_I18N = True
USE_TZ = True
FORMAT_MODULE_PATH = ["config.formats"]

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static_files.VersionedStaticFilesStorage"},
}

if ENV.https:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_SSL_REDIRECT = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

# An upload is read in the request and stored in the database, so it must fit into memory.
UPLOAD_MAX_BYTES = ENV.upload_max_mb * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 500

ARCHIVE_MAX_BYTES = ENV.archive_max_mb * 1024 * 1024
ARCHIVE_MAX_FILES = ENV.archive_max_files
PARSE_TIMEOUT_S = ENV.parse_timeout_s
PARSE_MEMORY_MB = ENV.parse_memory_mb
EMBEDDER = ENV.embedder
EMBEDDING_SERVER = ENV.embedding_server
PRICE_EMBEDDING_PER_MTOK = ENV.price_embedding_per_mtok
PRICE_INPUT_PER_MTOK = ENV.price_input_per_mtok
PRICE_OUTPUT_PER_MTOK = ENV.price_output_per_mtok
PRICE_CURRENCY = ENV.price_currency
LLM_BASE_URL = ENV.llm_base_url
LLM_API_KEY = ENV.llm_api_key
LLM_MODEL = ENV.llm_model
LLM_VISION_MODEL = ENV.llm_vision_model
LLM_TIMEOUT_S = ENV.llm_timeout_s
RUN_MAX_TOKENS = ENV.run_max_tokens
RUN_MAX_CALLS = ENV.run_max_calls
RUN_MAX_SECONDS = ENV.run_max_seconds
EXPERIENCE_MIN_HISTORY = ENV.experience_min_history
CHUNK_MAX_TOKENS = ENV.chunk_max_tokens
CHUNK_TARGET_TOKENS = ENV.chunk_target_tokens
ANSWER_THREADS = ENV.answer_threads
TASK_SILENCE_S = ENV.task_silence_s

Q_CLUSTER = {
    "name": "cairn",
    "cache": "queue",
    "workers": ENV.task_workers,
    "timeout": ENV.task_timeout_s,
    # Counted from dequeue; above the time-out, or a slow task would be handed out twice at once.
    "retry": ENV.task_timeout_s * 2,
    "max_attempts": 3,
    "ack_failures": True,  # our own row decides about another attempt
    "catch_up": False,
    "poll": 0.5,
    "bulk": 1,
    # Tasks taken off the queue but not begun; few, since a killed worker holds them back.
    "queue_limit": ENV.task_workers,
    "save_limit": 250,
    "label": "Task queue",
    **({"redis": ENV.redis_url} if ENV.redis_url else {"orm": "default"}),
}

REST_FRAMEWORK = {
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
}

UNFOLD = {
    "SITE_TITLE": "Cairn",
    "SITE_HEADER": "Cairn",
    "SITE_SYMBOL": "landslide",
    "COLORS": {
        # The accent of the web pages, light to dark.
        "primary": {
            "50": "oklch(97% .015 185)",
            "100": "oklch(94% .03 185)",
            "200": "oklch(88% .05 185)",
            "300": "oklch(80% .07 185)",
            "400": "oklch(70% .08 185)",
            "500": "oklch(58% .08 185)",
            "600": "oklch(47% .075 185)",
            "700": "oklch(42% .065 185)",
            "800": "oklch(36% .055 185)",
            "900": "oklch(31% .045 185)",
            "950": "oklch(23% .035 185)",
        }
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django.request": {"level": "ERROR"},
        # What a person does by mistake and is told in a sentence; no fault of the site.
        "django.security.TooManyFilesSent": {"level": "CRITICAL"},
        # A line for each call of a model; failed ones are told in sentences.
        "httpx2": {"level": "WARNING"},
        "django-q": {"level": "WARNING", "handlers": ["console"], "propagate": False},
    },
}
