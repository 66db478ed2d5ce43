"""Counted nouns of English sentences."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return "1 file", "2 files", "1,204 files"; `plural` where an s does not do."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
