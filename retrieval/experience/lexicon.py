"""The word lists of this package, one TOML file a module, languages side by side."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

# Only before a number: a preposition like "over" says where as often as how much.
_NUMBER_FOLLOWS = r"(?! (?:the|this|our|a|de[rmn]|die|das)\b)(?=[^\d?,;]{0,16}\d)"


def word_list(name: str) -> dict[str, Any]:
    """Return the contents of ``wordlists/<name>.toml``."""
    file = resources.files(__package__) / "wordlists" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def pattern(words: Sequence[str] | Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """Return what matches any of these regular expressions, in any of their languages."""
    parts = (
        words if isinstance(words, Sequence) else [one for part in words.values() for one in part]
    )
    joined = "|".join(parts).replace("<number>", _NUMBER_FOLLOWS)
    return re.compile(joined, re.IGNORECASE)
