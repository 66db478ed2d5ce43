"""Text made to keep a reader busy for ever is read within the limits of the sandbox."""

from __future__ import annotations

import pytest

from knowledge.ingest.sandbox import parse

# As a file of their kind, of a size at which a second look at the rest for each would take longer
# than the sandbox allows.
UNITS = {
    "a.html": ["<p>x<!DOCTYPE["],
    "a.md": ["<p>x<!DOCTYPE["],
}


@pytest.mark.parametrize(("name", "unit"), [(name, unit) for name in UNITS for unit in UNITS[name]])
def test_a_megabyte_of_hostile_text_is_read_to_its_end(name: str, unit: str) -> None:
    text = f"<p>Start.\n\n{unit * (1_000_000 // len(unit))}\n\n<p>End."
    assert "Start." in parse(text.encode(), name).text
