"""The environment: defaults, typed values, and refusals that name the variable."""

from __future__ import annotations

from pathlib import Path

import pytest

from config.database_address import DatabaseAddress, parse_database_url
from config.email_server import EmailServer
from config.env import PROJECT_DIR, InvalidEnvironment, read_environment
from config.env_file import read_env_file
from config.variables import BY_NAME, VARIABLES


class Recorder(dict[str, str]):
    """An environment that notes what is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def get(self, key: str, default: str = "") -> str:  # type: ignore[override]  # one shape is used
        self.asked.add(key)
        return default


def test_an_empty_environment_is_a_working_one() -> None:
    env = read_environment({})
    assert env.data_dir == PROJECT_DIR / "var"
    assert env.database.embedded
    assert not env.debug
    assert env.email is None
    assert env.port == 8000


def test_every_declared_variable_is_read_and_no_other() -> None:
    environ = Recorder()
    read_environment(environ)
    assert {name for name in environ.asked if not name.endswith("_FILE")} == set(BY_NAME)


def test_names_are_declared_once() -> None:
    assert len(BY_NAME) == len(VARIABLES)


def test_an_empty_value_means_the_default() -> None:
    assert read_environment({"CAIRN_PORT": "", "CAIRN_DEBUG": " "}) == read_environment({})


def test_given_values_are_typed(tmp_path: Path) -> None:
    env = read_environment(
        {
            "CAIRN_DATA_DIR": str(tmp_path),
            "CAIRN_DEBUG": "Yes",
            "CAIRN_ALLOWED_HOSTS": "a.example, b.example,",
            "CAIRN_CSRF_TRUSTED_ORIGINS": "https://a.example",
            "CAIRN_UPLOAD_MAX_MB": "7",
            "CAIRN_EMBEDDER": "hashing",
            "CAIRN_EMAIL_URL": "smtp+tls://me%40x:p%23w@mail.example",
            "CAIRN_TIME_ZONE": "Europe/Berlin",
        }
    )
    assert env.data_dir == tmp_path
    assert env.debug
    assert env.allowed_hosts == ("a.example", "b.example")
    assert env.upload_max_mb == 7
    assert env.embedder == "hashing"
    assert env.email == EmailServer("mail.example", 587, "me@x", "p#w", True, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CAIRN_DEBUG", "maybe"),
        ("CAIRN_PORT", "0"),
        ("CAIRN_PORT", "70000"),
        ("CAIRN_PORT", "80 80"),
        ("CAIRN_PORT", "٨٠"),
        ("CAIRN_PORT", "tcp://10.0.0.1:80"),  # as Kubernetes sets for a service named cairn
        ("CAIRN_EMBEDDER", "Bundled"),
        ("CAIRN_CHUNK_TARGET_TOKENS", "1001"),
        ("CAIRN_CSRF_TRUSTED_ORIGINS", "a.example"),
        ("CAIRN_TIME_ZONE", "Mars/Olympus"),
        ("CAIRN_TIME_ZONE", "../etc/passwd"),
        ("CAIRN_EMAIL_URL", "mail.example"),
        ("CAIRN_EMAIL_URL", "smtp://"),
        ("DATABASE_URL", "mysql://a@b/c"),
        ("CAIRN_SECRET_KEY_FILE", "/no/such/file"),
    ],
)
def test_a_value_that_does_not_do_is_refused_by_its_name(name: str, value: str) -> None:
    with pytest.raises(InvalidEnvironment, match=name):
        read_environment({name: value})


class TestSecrets:
    def test_a_secret_may_come_from_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "key").write_text("from a file\n")
        env = read_environment({"CAIRN_SECRET_KEY_FILE": str(tmp_path / "key")})
        assert env.secret_key == "from a file"

    def test_a_value_and_a_file_contradict(self, tmp_path: Path) -> None:
        (tmp_path / "key").write_text("x")
        environ = {"CAIRN_SECRET_KEY": "y", "CAIRN_SECRET_KEY_FILE": str(tmp_path / "key")}
        with pytest.raises(InvalidEnvironment, match="both set"):
            read_environment(environ)

    def test_passwords_stay_out_of_messages_and_representations(self) -> None:
        with pytest.raises(InvalidEnvironment) as caught:
            read_environment({"DATABASE_URL": "postgres://me:hunter2@:x/name"})
        assert "hunter2" not in str(caught.value)
        env = read_environment(
            {
                "DATABASE_URL": "postgres://me:hunter2@host/name",
                "CAIRN_EMAIL_URL": "smtp://me:hunter2@host",
                "CAIRN_SECRET_KEY": "hunter2",
            }
        )
        assert "hunter2" not in repr(env)


class TestDatabaseURL:
    def test_its_parts_are_decoded(self) -> None:
        url = "postgresql://us%40er:p%2Fw%3A%23@db.example:6432/na%20me"
        assert parse_database_url(url) == DatabaseAddress(
            "na me", "us@er", "p/w:#", "db.example", 6432
        )

    def test_a_socket_is_named_in_the_query(self) -> None:
        where = parse_database_url("postgres://cairn@/cairn?host=/run/postgresql")
        assert (where.host, where.port) == ("/run/postgresql", 5432)

    def test_the_password_may_come_alone(self) -> None:
        env = read_environment(
            {"DATABASE_URL": "postgres://me@host/name", "CAIRN_DATABASE_PASSWORD": "p@ss/word"}
        )
        assert env.database.password == "p@ss/word"
        assert not env.database.embedded

    def test_two_passwords_contradict(self) -> None:
        environ = {"DATABASE_URL": "postgres://me:a@host/name", "CAIRN_DATABASE_PASSWORD": "b"}
        with pytest.raises(InvalidEnvironment, match="both hold a password"):
            read_environment(environ)

    @pytest.mark.parametrize(
        "url",
        [
            "host/name",
            "postgres://host/name",
            "postgres://me@host",
            "postgres://me@host/a/b",
            "postgres://me@/name",
            "postgres://me@/name?host=relative",
            "postgres://me@host/name?host=/run",
            "postgres://me@host/name?sslmod=require",
            "postgres://me:pa#ss@host/name",
            "postgres://me@host:port/name",
            "postgres://me@host:99999/name",
        ],
    )
    def test_anything_else_is_refused(self, url: str) -> None:
        with pytest.raises(InvalidEnvironment, match="DATABASE_URL"):
            read_environment({"DATABASE_URL": url})


class TestEnvFile:
    @pytest.fixture
    def env_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("CAIRN_ENV_FILE", str(tmp_path / "env"))
        return tmp_path / "env"

    def test_lines_are_read_as_compose_reads_them(self, env_file: Path) -> None:
        env_file.write_text(
            "# comment\n\nA=1\nexport B = two # note\nC='a # b'\nD=\"x\"\nE=\nF=p#w\n"
        )
        assert read_env_file(env_file) == {
            "A": "1",
            "B": "two",
            "C": "a # b",
            "D": "x",
            "E": "",
            "F": "p#w",
        }

    def test_a_line_of_another_form_is_named(self, env_file: Path) -> None:
        env_file.write_text("A=1\nwhat is this\n")
        with pytest.raises(InvalidEnvironment, match="Line 2"):
            read_env_file(env_file)

    def test_the_process_wins_over_the_file(
        self, env_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        env_file.write_text("CAIRN_PORT=1111\nCAIRN_WEB_THREADS=5\n")
        monkeypatch.setenv("CAIRN_PORT", "2222")
        env = read_environment()
        assert (env.port, env.web_threads) == (2222, 5)

    def test_a_misspelt_name_in_the_file_is_refused_with_a_hint(self, env_file: Path) -> None:
        env_file.write_text("CAIRN_UPLOAD_MAXMB=3\n")
        with pytest.raises(InvalidEnvironment, match="Did you mean CAIRN_UPLOAD_MAX_MB"):
            read_environment()

    def test_a_named_file_must_exist(self, env_file: Path) -> None:
        with pytest.raises(InvalidEnvironment, match="Cannot read"):
            read_environment()


def test_a_server_of_embeddings_is_chosen_by_its_address_and_needs_a_model() -> None:
    environ = {"CAIRN_EMBEDDING_BASE_URL": "http://127.0.0.1:8080/v1/"}
    assert read_environment({}).embedding_server is None
    assert read_environment({"CAIRN_EMBEDDING_MODEL": "bge-m3"}).embedding_server is None
    with pytest.raises(InvalidEnvironment, match="CAIRN_EMBEDDING_MODEL"):
        read_environment(environ)
    server = read_environment(environ | {"CAIRN_EMBEDDING_MODEL": "bge-m3"}).embedding_server
    assert server is not None
    assert (server.base_url, server.dimensions) == ("http://127.0.0.1:8080/v1", 1024)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CAIRN_EMBEDDING_BASE_URL", "ftp://example.com"),
        ("CAIRN_EMBEDDING_BASE_URL", "http://user:secret@example.com/v1"),
        ("CAIRN_EMBEDDING_DIMENSIONS", "4001"),
        ("CAIRN_EMBEDDING_MAX_TOKENS", "0"),
        ("CAIRN_EMBEDDING_BATCH", "0"),
    ],
)
def test_a_server_of_embeddings_that_cannot_be_is_refused(name: str, value: str) -> None:
    with pytest.raises(InvalidEnvironment, match=name) as caught:
        read_environment({"CAIRN_EMBEDDING_MODEL": "bge-m3", name: value})
    assert "secret" not in str(caught.value)


def test_a_price_of_embeddings_is_a_plain_number_or_none() -> None:
    assert read_environment({}).price_embedding_per_mtok is None
    given = read_environment({"CAIRN_PRICE_EMBEDDING_PER_MTOK": "0.02"})
    assert given.price_embedding_per_mtok == pytest.approx(0.02)
    for wrong in ("-1", "nan", "1e999", "0,02", "١"):
        with pytest.raises(InvalidEnvironment, match="PRICE_EMBEDDING_PER_MTOK must be a number"):
            read_environment({"CAIRN_PRICE_EMBEDDING_PER_MTOK": wrong})
