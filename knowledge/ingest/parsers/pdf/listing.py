"""Page numbers in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

_MOST = 20


def listed(numbers: Sequence[int]) -> str:
    """Return page numbers as words, neighbours as a range: '1, 3-5 and 9'."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    words = [str(first) if first == last else f"{first}-{last}" for first, last in ranges[:_MOST]]
    if len(ranges) > _MOST:
        words.append("others")
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
