"""Files as people have them, on the whole road: ready with the right tree, or a sentence."""

from __future__ import annotations

import random
import time
from typing import Any

import pymupdf
import pytest
from pytest_django.fixtures import Settings

from accounts.tenancy import tenant_transaction
from knowledge.ingest.preflight import MEGABYTE
from knowledge.models import Node
from knowledge.models.nodes import CONTAINERS
from knowledge.services.uploads import UploadRefused
from tests.factories import Company, ingest_queued, ingested, uploaded
from tests.knowledge.conftest import assert_statistics_are_exact, stored, version_of

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20


def scan(shade: int) -> bytes:
    """Return a PDF of one page that is a picture of one shade of grey."""
    picture = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 60, 80))
    picture.clear_with(shade)
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_image(page.rect, pixmap=picture)
        return bytes(document.tobytes(no_new_id=True))


READY = {
    "fences": (
        "# Shell\n\n```bash\n# no heading\n```\n\n~~~\n# nor this\n~~~\n\n## Real\n\nText.\n",
        ["Shell", "Real"],
    ),
    "unclosed fence": ("# Top\n\nText.\n\n```\n# inside\n", ["Top"]),
    "front matter": ("---\ntitle: Rules\nowner: me\n---\n\n# Rules\n\nText.\n", ["Rules"]),
    "a rule at the top": ("---\n\n# Plan\n\nText.\n\n---\n\nMore.\n", ["Plan"]),
    "setext": ("Top\n===\n\nText.\n\nBelow\n---\n\nMore.\n", ["Top", "Below"]),
    "nine levels": (
        "".join(f"{'#' * level} Level {level}\n\nText {level}.\n\n" for level in range(1, 10)),
        [f"Level {level}" for level in range(1, 7)],  # CommonMark ends at six
    ),
    "a shallower heading": (
        "# A\n\n### Deep\n\nText.\n\n## Shallow\n\nText.\n",
        ["A", "Deep", "Shallow"],
    ),
    "duplicate titles": (
        "# A\n\n## Same\n\nOne.\n\n## Same\n\nTwo.\n\n## same\n\nThree.\n",
        ["A", "Same", "Same", "same"],
    ),
    "emoji": ("# 🚀\n\n## 🎉🎉\n\nText.\n", ["🚀", "🎉🎉"]),
    "right to left": ("# מדריך\n\n## الإجازات\n\nنص قصير.\n", ["מדריך", "الإجازات"]),
    "chinese": ("# 价格表\n\n## 保修\n\n保修期为三年。\n", ["价格表", "保修"]),
    "the same letters twice": ("# Top\n\nno tea on top.\n\ntop on tea no.\n", ["Top"]),
    "only a heading": ("# Alone\n", ["Alone"]),
    "no heading": ("Just one line", []),
    "windows": ("# One\r\n\r\n## Two\r\n\r\nText.\r\n", ["One", "Two"]),
    "a table": ("# T\n\n| A | B |\n|---|---|\n| 1 | 2 |\n", ["T"]),
    "a null character": ("# One\n\nTe\x00xt.\n", ["One"]),
    "html": ("# One\n\n<script>alert(1)</script>\n\n<b>Text</b>\n", ["One"]),
    "very many sections": (
        "# Top\n\n" + "".join(f"## S{number}\n\nT.\n\n" for number in range(1500)),
        ["Top", *[f"S{number}" for number in range(1500)]],
    ),
}
BINARY = "The file holds binary data, not text."
REFUSED = {
    "empty": (b"", "empty", "The file is empty: it has 0 bytes."),
    "blank": (b" \n\t\r\n", "empty", "The document holds no text, only blank space."),
    "a picture": (PNG, "binary", "a PNG image"),
    "noise": (random.Random(1).randbytes(20_000), "binary", BINARY),  # noqa: S311  no secret
    "nulls": (bytes(10_000), "binary", BINARY),
}


def unindexed(made: dict[str, Any]) -> dict[str, str]:
    """Return what stands in no entry of a version, by the path of the leaf that holds it."""
    covered: set[int] = set()
    for _, _, _, start, end, *_ in made["entries"]:
        covered.update(range(start, end))
    text: str = made["text"]
    lost: dict[str, str] = {}
    for _, path, kind, _, _, _, start, end, *_ in made["nodes"]:
        if kind not in CONTAINERS:
            missing = set(range(start, end)) - covered
            words = "".join(text[at] for at in sorted(missing) if not text[at].isspace())
            lost |= {path: words} if words else {}
    return lost


@pytest.mark.parametrize("case", READY)
def test_an_odd_file_becomes_ready_with_the_right_outline(a: Company, case: str) -> None:
    content, titles = READY[case]
    document = ingested(a.tenant, a.base, "odd.md", content)
    version = document.latest_version
    assert (version.state, version.message) == ("ready", "")
    with tenant_transaction(a.tenant):
        nodes = Node.objects.filter(version=version)
        top = nodes.get(parent=None)
        found = [node.title for node in nodes.filter(kind="section").order_by("ordinal")]
        paths = list(nodes.values_list("path", flat=True))
    named = [top.title] if titles and titles[0] == top.title and top.title not in found else []
    assert named + found == titles
    assert len(set(paths)) == len(paths)
    assert unindexed(stored(a.tenant, document)) == {}
    if case != "a table":  # whose rows are indexed with their headers
        assert_statistics_are_exact(a.tenant, a.base)


@pytest.mark.parametrize("case", REFUSED)
def test_a_hopeless_file_ends_failed_with_a_sentence_at_once(a: Company, case: str) -> None:
    content, verdict, words = REFUSED[case]
    version = ingested(a.tenant, a.base, "hopeless.md", content).latest_version
    assert (version.state, version.verdict) == ("failed", verdict)
    assert words in version.message
    assert version.message[0].isupper()
    assert version.message.endswith(".")


@pytest.mark.parametrize("name", ["slides.odp", "old.doc", "noname", "archive.zip"])
def test_a_format_that_nobody_reads_is_named(a: Company, name: str) -> None:
    version = ingested(a.tenant, a.base, name, b"PK\x03\x04 or whatever").latest_version
    assert (version.state, version.verdict) == ("failed", "unsupported")
    assert "cannot be read" in version.message


BUREAU = "# Büro\n\nDie Küche öffnet um neun Uhr und schließt um zehn Uhr.\n"
GUESSED = "The file is not UTF-8 and was read as {}. Please check its letters."


@pytest.mark.parametrize(
    ("content", "read", "warnings"),
    [
        (BUREAU.encode("latin-1"), BUREAU, [GUESSED.format("cp1252")]),
        (BUREAU.encode("utf-16"), BUREAU, []),
        (
            BUREAU.encode() * 5 + b"\xff end\n",
            BUREAU * 5 + "\ufffd end\n",
            ["1 damaged character is shown as \ufffd."],
        ),
        (  # too short for its damage to pass as UTF-8: what can be read is read, and said
            "# Büro\n\nText.\n".encode() + b"\xff\xfe\xfd broken \x80\x81",
            "# BĂĽro\n\nText.\n˙ţý broken €\ufffd",
            [GUESSED.format("cp1250"), "1 damaged character is shown as \ufffd."],
        ),
    ],
    ids=["latin-1", "utf-16", "damaged", "broken"],
)
def test_bytes_that_are_no_utf8_are_read_and_what_was_guessed_is_told(
    a: Company, content: bytes, read: str, warnings: list[str]
) -> None:
    made = stored(a.tenant, ingested(a.tenant, a.base, "bureau.md", content))
    assert made["version"]["state"] == "ready"
    assert made["text"] == read
    assert made["version"]["warnings"] == warnings
    assert unindexed(made) == {}


def test_thirty_megabytes_of_one_line_end_with_a_sentence_and_soon(a: Company) -> None:
    content = b"abcdefghij " * (30_000_000 // 11)
    began = time.monotonic()
    version = ingested(a.tenant, a.base, "line.md", content).latest_version
    assert version.state == "failed"
    assert version.message.startswith("The document has ")
    assert version.message.endswith("Please split it.")
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("more", [0, 1])
def test_a_file_of_the_size_that_may_be_sent_is_not_too_large_to_be_read(
    a: Company, settings: Settings, more: int
) -> None:
    settings.UPLOAD_MAX_BYTES = 51 * MEGABYTE
    content = b"x" * (settings.UPLOAD_MAX_BYTES + more)
    if more:
        with pytest.raises(UploadRefused, match="larger than 51 MB"):
            uploaded(a.tenant, a.base, "line.md", content)
    else:  # it is not its bytes that are too many
        version = ingested(a.tenant, a.base, "line.md", content).latest_version
        assert version.message.startswith(f"The document has {len(content):,} characters")


def test_a_file_sent_before_the_largest_size_was_lowered_is_refused_in_the_same_unit(
    a: Company, settings: Settings
) -> None:
    document = uploaded(a.tenant, a.base, "line.md", b"x" * (2 * MEGABYTE))
    settings.UPLOAD_MAX_BYTES = MEGABYTE
    ingest_queued(a.tenant, document)
    version = version_of(a.tenant, document)
    assert (version.state, version.verdict) == ("failed", "too_large")
    assert version.message == "The file has 2.0 MB; at most 1 MB are accepted. Please split it."


@pytest.mark.parametrize("unit", ["word ", "x", "字"])
def test_a_long_line_within_the_limits_becomes_ready(a: Company, unit: str) -> None:
    version = ingested(a.tenant, a.base, "line.md", unit * 100_000).latest_version
    assert version.state == "ready"
    assert version.chunks > 10


def test_two_scans_without_a_word_are_two_documents_and_each_says_so(a: Company) -> None:
    names = ("front.pdf", "back.pdf")
    documents = [
        uploaded(a.tenant, a.base, name, scan(shade))
        for name, shade in zip(names, (90, 210), strict=True)
    ]
    ingest_queued(a.tenant)
    versions = [version_of(a.tenant, document) for document in documents]
    assert versions[0].document_id != versions[1].document_id
    for version in versions:
        assert (version.state, version.verdict) == ("failed", "scanned")
        assert version.message.startswith("The file is scanned")
    again = uploaded(a.tenant, a.base, names[0], scan(210))
    assert version_of(a.tenant, again).number == 2  # other bytes, if of the same empty text


def test_a_good_file_after_each_bad_one_is_read(a: Company) -> None:
    for number, (content, _, _) in enumerate(REFUSED.values()):
        ingested(a.tenant, a.base, f"bad-{number}.md", content)
        good = ingested(a.tenant, a.base, f"good-{number}.md", f"Good text {number}.")
        assert good.latest_version.state == "ready"
