"""Which character encoding a text without a mark is in, told by how natural it reads.

``charset-normalizer`` proposes; on short texts it takes Western for Central European or Japanese
(measured on 3.5.3: "Café déjà vu" in Latin-1 is read as cp1250), so its proposals and the common
encodings are scored by the rules below and the best reading wins.
"""

from __future__ import annotations

import re

from charset_normalizer import from_bytes

from .code_pages import sibling_page

_SAMPLE = 16_384
# In the order of preference among readings that are equally natural.
_COMMON = (
    "cp1252", "cp1251", "euc_kr", "gb18030", "euc_jp", "cp932", "big5", "koi8_r", "cp1250", "cp866",
)  # fmt: skip

_NON_ASCII_WORD = re.compile(r"(?:(?![\x00-\x40\x5b-\x60\x7b-\x7f]).)+", re.DOTALL)
# What no prose holds: C1 controls, private use, box drawing, half-width kana, noncharacters.
_ODD = re.compile(r"[\x80-\x9f\ue000-\uf8ff\u2500-\u259f\uff61-\uff9f\ufffd-\uffff]")
_CASE_BREAK = re.compile(
    r"[a-zа-яёß-öø-ÿ][A-ZА-ЯЁÀ-ÖØ-Þ]|(?<![^\W])[A-ZА-ЯЁÀ-ÖØ-Þ]{2,}[a-zа-яёß-öø-ÿ]"
)
_SYMBOL_IN_WORD = re.compile(r"(?<=[^\W\d_])[¡-©«-´¶-¹»-¿×÷№](?=[^\W\d_])|(?<=[^\W\d_])¿")
# A word of accented letters alone in which one comes twice is Cyrillic or the like read as Latin;
# lists of such letters (äöü) name each once.
_ACCENTED_WORD = re.compile(r"(?<![^\W_])[À-ɏ]{4,}(?![^\W_])")
# Polish and its neighbours, read as East Asian, have such words: one character at a time.
_LONE_HAN = re.compile("(?:[A-Za-z]+[\u3400-\u9fff])+[A-Za-z]*")
_LONE_HANGUL = re.compile("(?<=[A-Za-z])[\uac00-\ud7a3](?=[A-Za-z])")
# EUC-JP has its kana where the Chinese set has the same ones, and the Korean one single letters: a
# text with many of them is Japanese, and one without them is not.
_KANA = re.compile("[\u3041-\u30fe\u3131-\u318e]")
_JAPANESE_KANA = 0.1
# Readings less natural than this are no readings at all.
_LEAST = 0.6


def guess_encoding(data: bytes, *, first: tuple[str, ...] = ()) -> str | None:
    """Return the Python name of the encoding ``data`` reads best in, None when none reads well.

    Among readings that are equally natural, those ``first`` are preferred.
    """
    sample = _sample(data)
    best: tuple[float, str | None] = (_LEAST, None)
    for encoding in dict.fromkeys([*first, *_COMMON, *_proposals(sample)]):
        text = _decoded(sample, encoding)
        score = _naturalness(text, encoding) if text is not None else 0.0
        if score > best[0]:
            best = (score, encoding)
    return best[1] and sibling_page(sample, best[1])


def _sample(data: bytes) -> bytes:
    """Return a part of ``data`` that holds its first bytes above ASCII, cut at white space."""
    high = re.search(rb"[\x80-\xff]", data)
    start = max(0, (high.start() if high else 0) - 1_000)
    part = data[start : start + _SAMPLE]
    if start + _SAMPLE < len(data):
        part = part[: part.rfind(b"\n") + 1] or part[: part.rfind(b" ") + 1] or part
    return part


def _proposals(sample: bytes) -> list[str]:
    # UTF-16 without a mark is told apart by its NULs elsewhere; EBCDIC is always a wrong guess.
    unlikely = ("utf_16", "utf_32", "utf_7", "cp037", "cp500", "cp1026", "cp1140", "cp273")
    names = [match.encoding for match in from_bytes(sample)]
    return [name for name in names if not name.startswith(unlikely)]


def _decoded(sample: bytes, encoding: str) -> str | None:
    # Up to three bytes at the end may be half a character where no white space was found.
    for cut in range(4):
        try:
            return sample[: len(sample) - cut].decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return None


def _naturalness(text: str, encoding: str) -> float:
    """Return 0..1: the share of characters above ASCII that stand where a writer puts them."""
    high = [character for character in text if character > "\x7f"]
    if not high:
        return 1.0
    bad = 4 * len(_ODD.findall(text))
    # "UMass" and "TAs" are the same in every encoding.
    breaks = sum(not found.isascii() for found in _CASE_BREAK.findall(text))
    bad += 2 * breaks + 2 * len(_SYMBOL_IN_WORD.findall(text))
    bad += sum(_unnatural_letters(word, encoding) for word in _NON_ASCII_WORD.findall(text))
    if encoding in ("euc_jp", "gb18030", "euc_kr"):
        kana = len(_KANA.findall(text))
        is_japanese = kana > _JAPANESE_KANA * len(high)
        bad += 0 if is_japanese == (encoding == "euc_jp") else max(kana, len(high) // 2)
    accented = sum("\xc0" <= character <= "\u024f" for character in high)
    latin = accented + sum(character.isascii() and character.isalpha() for character in text)
    # More accented letters than plain ones: Cyrillic or Chinese read as Latin.
    if accented * 2 > latin and accented > 2:
        bad += accented
    else:
        words = _ACCENTED_WORD.findall(text)
        bad += sum(len(word) for word in words if 1 < len(set(word)) < len(word))
    return max(0.0, 1 - bad / len(high))


def _unnatural_letters(word: str, encoding: str) -> int:
    """Return how many letters of ``word`` do not go together or are hardly ever used."""
    han = sum(_is_rare_han(letter, encoding) for letter in word if "\u3400" <= letter <= "\u9fff")
    accented = sum("\xc0" <= letter <= "\u024f" for letter in word)
    cyrillic = sum("\u0400" <= letter <= "\u04ff" for letter in word)
    greek = sum("\u0370" <= letter <= "\u03ff" for letter in word)
    latin = sum(letter.isascii() and letter.isalpha() for letter in word)
    lone = len(word) - latin if latin > 1 and _LONE_HAN.fullmatch(word) else 0
    lone += len(_LONE_HANGUL.findall(word))
    mixed = min(cyrillic + greek, latin + accented) + min(cyrillic, greek)
    return max(han, lone) + mixed


def _is_rare_han(letter: str, encoding: str) -> bool:
    """Return whether ``letter`` is outside the first level of its national set."""
    if encoding == "euc_kr":
        # Korean is written in Hangul today; Chinese read as Korean is half Han, half Hangul.
        return True
    try:
        if encoding == "big5":
            return not 0xA4 <= letter.encode("big5")[0] <= 0xC6
        if encoding == "cp932":
            return not 0x88 <= letter.encode("cp932")[0] <= 0x97
        if encoding == "euc_jp":
            return not 0xB0 <= letter.encode("euc_jp")[0] <= 0xCF
        return not 0xB0 <= letter.encode("gb2312")[0] <= 0xD7
    except UnicodeEncodeError:
        return True
