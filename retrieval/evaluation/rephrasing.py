"""Questions asked again in other words, by rules: the stream that experience is measured with.

The rules change the frame of a question and none of what it asks for, so its gold stays the same.
They make easy paraphrases: what a person would write instead is often further away.
"""

from __future__ import annotations

import re

_CJK = re.compile(r"[\u3400-\u9fff]")
_CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)
_ASKING = re.compile(
    r"^(?:what|which|who|whom|whose|when|where|why|how|does|do|did|is|are|was|were|can|in|on|at|of)\b",
    re.IGNORECASE,
)
_FRAMES = {
    "en": ("I would like to know: {}", "Please tell me, {}", "{} Please answer briefly."),
    "ru": ("Подскажите, пожалуйста: {}", "Хотелось бы узнать, {}", "{} Ответьте кратко."),
    "zh": ("请问，{}", "我想知道：{}", "{}请简要回答。"),
}


def rephrased(question: str, number: int) -> str:
    """Return the question in the frame of that number; never the same text."""
    text = " ".join(question.split())
    frames = _FRAMES[_script(text)]
    frame = frames[number % len(frames)]
    if frame.startswith("{}"):
        return frame.format(text)
    # A question that begins with a name keeps its capital.
    begins = _ASKING.match(text) or _script(text) == "ru"
    return frame.format(text[0].lower() + text[1:] if begins else text)


def _script(text: str) -> str:
    if _CJK.search(text):
        return "zh"
    return "ru" if _CYRILLIC.search(text) else "en"
