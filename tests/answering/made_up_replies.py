"""Replies as a model might make them up: right, nearly right, of wrong types, and made to harm."""

from __future__ import annotations

from hypothesis import strategies as st

# Sentences, parts of them, and what looks like them: other letters, numbers, spaces and marks.
SOURCES = (
    "The SL-420 has a warranty of 36 months.",
    "The travel allowance is 45 euros a day.",
    "Receipts are sent in within thirty days.",
    "The office in Bergen opens at eight.",
)
_LOOKALIKES = str.maketrans({"a": "а", "e": "е", "o": "ο", "3": "３", "-": "\u2011", "S": "Ѕ"})
_changes = st.sampled_from(
    [
        *[lambda text: text] * 8,
        lambda text: text.upper(),
        lambda text: text.translate(_LOOKALIKES),
        lambda text: text.replace("36", "63").replace("45", "54"),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: text.replace(" ", " \u200b"),
        lambda text: text[3:-3],
        lambda text: text + " And more.",
        lambda text: f"“{text}”",
        lambda text: text[::-1],
        lambda text: text * 400,
    ]
)
quotes_of_sources = st.builds(lambda text, change: change(text), st.sampled_from(SOURCES), _changes)

_MARKS = [
    "[1]", "[2]", "[3]", "[99]", "[0]", "[1][1]", "[1, 2]", "[1-9]", "[E1]", "【1】", "【9†x】",
    "[[9]1]", "[1[9]]", "[１]", "[¹]", "［1］", "\\[1\\]", "\\\\[9]", "`[9]`", "``a [9] `",
    "[1](http://evil.example/?q=x)", "![x](http://evil.example/?q=x)", "http://evil.example/",
    "<img src=//evil.example>", "<a href='javascript:x'>y</a>", "\n", "\n\n", "    ", "```\n", "|",
    "\n---|---\n", "\0", "\ud800", "\ue0009\ue001", "x" * 3_000, "[" * 50, "&#91;9]",
]  # fmt: skip
_marks = st.sampled_from(["[1]", "[2]"]) | st.sampled_from(_MARKS)
answers = st.lists(
    st.one_of(_marks, quotes_of_sources, st.text(max_size=8)), min_size=1, max_size=9
).map(" ".join)

_wrong = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


def _mostly(good: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Draw what fits nine times of ten, so that many replies are nearly an answer."""
    return st.integers(0, 9).flatmap(lambda number: good if number else _wrong)


_number = _mostly(st.sampled_from([1, 1, 1, 2, 2, 3, 0, 9, "1", "E1", "[E2]", "one"]))
_quote = _mostly(st.fixed_dictionaries({"evidence": _number, "text": _mostly(quotes_of_sources)}))
_need = st.fixed_dictionaries(
    {"need": st.just("the SL-420"), "met": st.just(True) | _wrong, "evidence": st.lists(_number)}
)

replies = st.fixed_dictionaries(
    {
        "quotes": _mostly(st.lists(_quote, min_size=1, max_size=8)),
        "sufficient": _mostly(st.just(True)),
        "answer": _mostly(answers),
    },
    optional={
        "constraints": _mostly(st.lists(_need, max_size=2)),
        "missing": _mostly(st.just([])),
        "value": _wrong,
        "unit": _wrong,
        "is_blank": _mostly(st.just(False)),
    },
)
