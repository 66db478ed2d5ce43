"""Archives are read by what comes out of them, never by what they say of themselves."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile

import pytest

from knowledge.ingest.archive_names import refusal_of
from knowledge.ingest.archives import Budget, open_archive, read_entry
from knowledge.ingest.preflight import MEGABYTE, Refused, Verdict


def archive(**entries: bytes) -> bytes:
    """Return an archive of ``entries``."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in entries.items():
            written.writestr(name, content)
    return buffer.getvalue()


def verdict_of(data: bytes, name: str, budget: Budget) -> Verdict:
    """Return the verdict that reading an entry ends in."""
    with pytest.raises(Refused) as refusal:
        read_entry(open_archive(data), name, budget)
    return refusal.value.verdict


def test_an_entry_is_read_whole_and_taken_from_the_budget() -> None:
    budget = Budget(10)
    assert read_entry(open_archive(archive(a=b"1234567")), "a", budget) == b"1234567"
    assert budget.remaining == 3


def test_entries_that_are_small_each_are_a_bomb_together() -> None:
    data = archive(**{f"e{number}": b"x" * 1_000 for number in range(11)})
    opened, budget = open_archive(data), Budget(10_000)
    for number in range(10):
        read_entry(opened, f"e{number}", budget)
    with pytest.raises(Refused) as refusal:
        read_entry(opened, "e10", budget)
    assert refusal.value.verdict is Verdict.BOMB


def test_a_size_understated_in_the_directory_is_damage() -> None:
    data = archive(a=bytes(5_000_001))
    lying = data.replace(struct.pack("<L", 5_000_001), struct.pack("<L", 10))
    assert verdict_of(lying, "a", Budget()) is Verdict.DAMAGED


def test_a_size_overstated_in_the_directory_costs_no_memory() -> None:
    data = archive(a=b"x" * 5_001)
    lying = data.replace(struct.pack("<L", 5_001), struct.pack("<L", 2**31))
    tracemalloc.start()
    assert read_entry(open_archive(lying), "a", Budget()) == b"x" * 5_001
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * MEGABYTE


def test_zeros_are_a_bomb_by_their_ratio_before_the_budget_ends() -> None:
    budget = Budget()
    assert verdict_of(archive(a=bytes(60 * MEGABYTE)), "a", budget) is Verdict.BOMB
    assert budget.remaining > 400 * MEGABYTE


def test_entries_of_a_file_that_is_an_archive_itself_are_not_counted() -> None:
    inner = archive(**{f"part{number}": b"x" for number in range(9)})
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w", zipfile.ZIP_STORED) as written:
        written.writestr("a.docx", inner)
        written.writestr("b.docx", inner)
    assert len(open_archive(outer.getvalue(), max_entries=2).infolist()) == 2
    with pytest.raises(Refused, match="has 2 entries; at most 1"):
        open_archive(outer.getvalue(), max_entries=1)


def test_what_is_cut_off_is_damaged() -> None:
    data = archive(a=b"1234567")
    for broken in (data[:-10], data[: len(data) // 2], b"PK\x03\x04", b""):
        with pytest.raises(Refused) as refusal:
            open_archive(broken)
        assert refusal.value.verdict is Verdict.DAMAGED


def test_a_changed_byte_is_damage() -> None:
    data = archive(a=b"some words of text " * 50)
    broken = bytearray(data)
    broken[40] ^= 0xFF
    assert verdict_of(bytes(broken), "a", Budget()) is Verdict.DAMAGED


def test_an_entry_under_a_password_is_named_as_such() -> None:
    data = bytearray(archive(a=b"text"))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert verdict_of(bytes(data), "a", Budget()) is Verdict.ENCRYPTED


def test_a_name_that_is_written_to_be_read_backwards_is_left_out() -> None:
    entry = zipfile.ZipInfo("x")
    assert "read backwards" in refusal_of(entry, "report\u202efdp.docx")
    assert refusal_of(entry, "\u200fדוח.docx") == ""
    assert refusal_of(entry, "Minutes 10:30.txt") == ""
