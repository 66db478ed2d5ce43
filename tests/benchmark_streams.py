"""64 people ask at once: `python -m tests.benchmark_streams [--clients 64] [--seconds 5]`.

The real web server (gunicorn, a pool of 10 database connections a process) before a model that
takes five seconds over each answer. Every client posts its question, loads the conversation, opens
its stream at once and reads it to its end, coming again where the server asks it to, as a browser
does. Printed: errors, the time to the first event from the opening of the stream and from the
question, the time in all, the most memory of the web processes and the most database connections
at once. Server, database, model and clients are processes of their own on the same processors.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPResponse
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
import psycopg

from tests.scripted_model import ScriptedModel
from tests.scripted_replies import Say

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "c" * 32
QUOTE = "The SL-420 has a warranty of 36 months."
TEXT = f"# Handbook\n\n## Warranty\n\n{QUOTE}\n\n## Hours\n\nThe office opens at nine.\n"
LATEST_S = 120.0
WATCH_S = 0.5
WARM = 8
"""Clients that ask before, so that both processes have loaded their model."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where the clients ask: a path, and the cookie of each."""

    port: int
    ask: str
    cookies: tuple[str, ...]


@dataclass(slots=True)
class Client:
    """What one client saw; times in seconds from the common start."""

    asked: float = 0.0
    opened: float = 0.0
    first: float = 0.0
    ended: float = 0.0
    streams: int = 0
    trouble: str = ""


@dataclass(slots=True)
class Peaks:
    """The most of each that was seen at once."""

    megabytes: float = 0.0
    connections: int = 0
    busy: int = 0
    web_s: float = 0.0
    database_s: float = 0.0
    clients_s: float = 0.0


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmark_streams")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5.0, help="that the model takes")
    parser.add_argument("--embedder", default="bundled", choices=("bundled", "hashing"))
    given = parser.parse_args(arguments)
    port = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        model_server(given.seconds) as model,
    ):
        os.environ |= {
            "CAIRN_ENV_FILE": "off",
            "CAIRN_DATA_DIR": folder,
            "CAIRN_EMBEDDER": given.embedder,
            "CAIRN_PORT": str(port),
            "CAIRN_DATABASE_POOL_SIZE": "10",
            "CAIRN_LLM_BASE_URL": model.recv(),
            "CAIRN_LLM_MODEL": "scripted",
            "DATABASE_URL": "",
        }
        site = prepared(port, given.clients)
        with web_server(port) as server:
            asked_at_once(replace(site, cookies=site.cookies[:WARM]))
            with watched(server.pid) as peaks:
                clients = asked_at_once(site)
        model.send("how often?")
        report(clients, peaks, model.recv() - WARM)
    return int(any(client.trouble for client in clients))


@contextmanager
def model_server(seconds: float) -> Iterator[Connection]:
    """Run the model in a process of its own; yield what tells its address, then its calls."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=serve_model, args=(theirs, seconds), daemon=True)
    process.start()
    try:
        yield ours
    finally:
        process.terminate()
        process.join()


def serve_model(asked: Connection, seconds: float) -> None:
    """Answer until the process is ended; send the address first, later the number of calls."""
    with ScriptedModel(responder=lambda body: reply(body, seconds)) as model:
        asked.send(model.base_url)
        while asked.recv():
            asked.send(len(model.chats))


def reply(body: Mapping[str, object], seconds: float) -> Say:
    """Answer with a quote from whichever passage of the prompt holds it, over that time."""
    prompt = str(body["messages"])
    numbers = re.findall(r"\[E(\d+)\]", prompt[: prompt.find(QUOTE)])
    answer = {
        "constraints": [],
        "quotes": [{"evidence": int(numbers[-1]) if numbers else 0, "text": QUOTE}],
        "missing": [],
        "sufficient": True,
        "answer": "It is 36 months [1].",
        "value": "36",
        "unit": "months",
        "is_blank": False,
    }
    text = json.dumps(answer)
    return Say(text, delay_s=seconds / len(text.split()))


def prepared(port: int, clients: int) -> Site:
    """Make the database with a company, its handbook, and a signed-in session a client."""
    from config import embedded_database, first_run
    from config.env import read_environment, select_settings

    environment = read_environment()
    first_run.prepare(environment)
    embedded_database.ensure_running(environment.data_dir, durable=False)
    select_settings()
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client as Signed
    from django.urls import reverse

    call_command("migrate", verbosity=0)
    call_command("createcachetable")
    from tests.factories import ingested, make_company

    company = make_company("aurora")
    ingested(company.tenant, company.base, "handbook.md", TEXT)
    cookies = []
    for _ in range(clients):
        signed = Signed()
        signed.force_login(company.member.user)
        cookies.append(f"sessionid={signed.cookies['sessionid'].value}; csrftoken={TOKEN}")
    ask = reverse("ask", args=[company.tenant.slug, company.base.slug])
    return Site(port, ask, tuple(cookies))


@contextmanager
def web_server(port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run gunicorn as the demo does, until the block ends."""
    command = [sys.executable, "-m", "gunicorn", "--config", "python:config.gunicorn"]
    server = subprocess.Popen([*command, "config.wsgi"], cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not is_up(port):
            if server.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("The web server did not start.")
            time.sleep(0.2)
        yield server
    finally:
        server.terminate()
        server.wait()


def free_port() -> int:
    """Return a port of loopback that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_up(port: int) -> bool:
    """Return whether the sign-in page comes."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", "/accounts/login/")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


@contextmanager
def watched(pid: int) -> Iterator[Peaks]:
    """Measure memory and connections until the block ends, a few times a second."""
    from django.db import connection

    where = connection.get_connection_params()
    names = {"host", "port", "user", "password", "dbname"}
    peaks, over = Peaks(), threading.Event()
    main_process = psutil.Process(pid)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = psutil.Process(cursor.fetchone()[0])
    database = backend.parent() or backend

    def watch() -> None:
        with psycopg.connect(**{n: where[n] for n in names & where.keys()}) as link:
            link.autocommit = True
            while not over.wait(WATCH_S):
                processes = [main_process, *main_process.children(recursive=True)]
                used = sum(one.memory_full_info().pss for one in processes) / 1024**2
                peaks.megabytes = max(peaks.megabytes, used)
                rows = link.execute(
                    "SELECT state FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                ).fetchall()
                peaks.connections = max(peaks.connections, len(rows))
                busy = sum(state not in ("idle", None) for (state,) in rows)
                peaks.busy = max(peaks.busy, busy)

    connection.close()
    watcher = threading.Thread(target=watch)
    watcher.start()
    used = [(one, processor_s(one)) for one in (main_process, database)]
    own = time.process_time()
    try:
        yield peaks
    finally:
        peaks.web_s, peaks.database_s = (processor_s(one) - before for one, before in used)
        peaks.clients_s = time.process_time() - own
        over.set()
        watcher.join()


def processor_s(process: psutil.Process) -> float:
    """Return the seconds of the processor that a process and its children have used."""
    own = process.cpu_times()
    used = own.user + own.system + own.children_user + own.children_system
    for child in process.children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it has just ended
            times = child.cpu_times()
            used += times.user + times.system
    return used


def asked_at_once(site: Site) -> list[Client]:
    """Let every client ask and read to the end of its answer."""
    clients = [Client() for _ in site.cookies]
    start = threading.Barrier(len(clients) + 1)
    threads = [
        threading.Thread(target=ask_and_read, args=(site, cookie, client, start))
        for cookie, client in zip(site.cookies, clients, strict=True)
    ]
    for thread in threads:
        thread.start()
    start.wait()
    for thread in threads:
        thread.join()
    return clients


def ask_and_read(site: Site, cookie: str, client: Client, start: threading.Barrier) -> None:
    """Ask, and read the stream until the answer is there."""
    start.wait()
    began = time.monotonic()
    try:
        stream = asked(site, cookie, client, began)
        while not client.ended:
            if time.monotonic() - began > LATEST_S:
                raise TimeoutError("no answer")
            follow(site, cookie, stream, client, began)
    except Exception as error:  # whatever it was, it is counted
        client.trouble = f"{type(error).__name__}: {error}"


def asked(site: Site, cookie: str, client: Client, began: float) -> str:
    """Return the address of the answer's stream."""
    form = "question=How+long+is+the+warranty+of+the+SL-420%3F&preset=naive"
    headers = {"X-CSRFToken": TOKEN, "Content-Type": "application/x-www-form-urlencoded"}
    posted = request(site, cookie, "POST", site.ask, form, headers)
    posted.read()
    where = posted.getheader("Location", "")
    client.asked = time.monotonic() - began
    page = request(site, cookie, "GET", where).read().decode()
    found = re.search(r'sse-connect="([^"]+)"', page)
    if found is None:
        raise ValueError(f"no stream at {where!r}, status {posted.status}")
    return found[1]


def follow(site: Site, cookie: str, stream: str, client: Client, began: float) -> None:
    """Read one stream to its end; wait as long as it says if the answer is not there yet."""
    client.opened = client.opened or time.monotonic() - began
    client.streams += 1
    response = request(site, cookie, "GET", stream)
    retry_s = 0.0
    for line in response:
        name, _, value = line.decode().strip().partition(": ")
        if name == "event":
            client.first = client.first or time.monotonic() - began
            if value == "done":
                rest = response.read().decode()
                if "/citations/1/" not in rest:
                    raise ValueError("an answer without its source")
                client.ended = time.monotonic() - began
                return
        elif name == "retry":
            retry_s = int(value) / 1000
    time.sleep(retry_s)


def request(
    site: Site,
    cookie: str,
    method: str,
    path: str,
    body: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> HTTPResponse:
    """Return the response; a status that is an error raises ValueError."""
    connection = HTTPConnection("127.0.0.1", site.port, timeout=LATEST_S)
    connection.request(method, path, body, {"Cookie": cookie, **(headers or {})})
    response = connection.getresponse()
    if response.status >= 400:
        raise ValueError(f"{method} {path}: {response.status}")
    return response


def report(clients: Sequence[Client], peaks: Peaks, calls: int) -> None:
    """Print what was measured."""
    good = [client for client in clients if not client.trouble]
    troubles = Counter(client.trouble for client in clients if client.trouble)
    print(f"{len(clients)} clients, {len(good)} answered, {calls} calls of the model")
    for trouble, times in troubles.items():
        print(f"  error, {times} times: {trouble}")
    line("first event after opening the stream", [one.first - one.opened for one in good])
    line("first event after asking", [one.first for one in good])
    line("question posted", [one.asked for one in good])
    line("answer complete", [one.ended for one in good])
    print(f"streams opened {sum(one.streams for one in good)}")
    print(f"web processes {peaks.megabytes:.0f} MB at most (PSS)")
    spent = f"web {peaks.web_s:.1f} s, database {peaks.database_s:.1f} s"
    print(f"processor: {spent}, clients {peaks.clients_s:.1f} s")
    print(f"database connections {peaks.connections} at most, {peaks.busy} at work at once")


def line(name: str, seconds: Sequence[float]) -> None:
    """Print the median, 95th percentile and maximum of times, in ms."""
    ranked = sorted(seconds) or [0.0]
    p50, p95 = (ranked[min(len(ranked) - 1, int(len(ranked) * q))] for q in (0.5, 0.95))
    times = (f"{word} {s * 1e3:6.0f} ms" for word, s in (("p50", p50), ("p95", p95)))
    print(f"{name:38} {', '.join(times)}, max {ranked[-1] * 1e3:6.0f} ms")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
