"""Fonts whose maps to letters are absent, shifted or wrong; written by pikepdf into sound files."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable

import pikepdf


def changed_maps(data: bytes, change: Callable[[int, int], int] | None) -> bytes:
    """Return the PDF with every letter of its ToUnicode maps changed; without maps for None.

    ``change`` gets the code of the glyph and of its letter.
    """
    with pikepdf.open(io.BytesIO(data)) as document:
        for thing in document.objects:
            if isinstance(thing, pikepdf.Dictionary) and "/ToUnicode" in thing:
                if change is None:
                    del thing["/ToUnicode"]
                else:
                    old = thing["/ToUnicode"].read_bytes()
                    thing["/ToUnicode"].write(_map(_pairs(old), change))
        out = io.BytesIO()
        document.save(out)
    return out.getvalue()


def permuted(seed: int = 3) -> Callable[[int, int], int]:
    """Return a change that gives each letter another one, small to small and capital to capital."""
    letters = [*range(ord("a"), ord("z") + 1)]
    shuffled = letters[:]
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    table = dict(zip(letters, shuffled, strict=True))
    table |= {old - 32: new - 32 for old, new in table.items()}
    return lambda _code, letter: table.get(letter, letter)


def _pairs(cmap: bytes) -> list[tuple[int, int]]:
    pairs = []
    text = cmap.decode("latin-1")
    for block in re.findall(r"beginbfchar(.*?)endbfchar", text, re.DOTALL):
        for code, letter in re.findall(r"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>", block):
            pairs.append((int(code, 16), int(letter[:4], 16)))
    for block in re.findall(r"beginbfrange(.*?)endbfrange", text, re.DOTALL):
        pattern = r"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>"
        for first, last, letter in re.findall(pattern, block):
            for step in range(int(last, 16) - int(first, 16) + 1):
                pairs.append((int(first, 16) + step, int(letter, 16) + step))
    return pairs


def _map(pairs: list[tuple[int, int]], change: Callable[[int, int], int]) -> bytes:
    lines = "\n".join(f"<{code:04x}> <{change(code, letter):04x}>" for code, letter in pairs)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def\n"
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        f"{len(pairs)} beginbfchar\n{lines}\nendbfchar endcmap end end"
    ).encode()
