"""Text made to keep a reader busy for ever is read within the limits of the sandbox."""

from __future__ import annotations

import pytest

from knowledge.ingest.sandbox import parse

# Files with an end of their own behind what is repeated, of a size at which to look at the rest
# once more for each would take longer than the sandbox allows.
FILES = {
    "types.html": ("<p>Start.", "<p>x<!DOCTYPE[", 80_000),
    "code.html": ("<p>Start.<pre>", " \n", 2_500_000),
    "blanks.html": ("<p>Start.", "<i> </i>", 600_000),
    "item.html": ("<ul><li>Start.", "\u00a0", 2_000_000),
}


@pytest.mark.parametrize("name", FILES)
def test_a_large_file_of_hostile_text_is_read_to_its_end(name: str) -> None:
    start, unit, times = FILES[name]
    assert "Start." in parse(f"{start}{unit * times}End.".encode(), name).text
