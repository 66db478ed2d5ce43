"""Words of documents inside of a prompt: data that cannot be taken for the prompt's own frame.

A document may hold the tag that ends the passages, a line that looks like the header of another
passage, or the control tokens of a chat template, which some servers obey wherever they stand.
Each is broken by a zero-width space. The words stay as they are for a reader, and a quote of them
is still found: the folding of quotes (`folding`) passes over that character.
"""

from __future__ import annotations

import re

BREAK = "\u200b"

_LINE = r"(?:\A|(?<=[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]))[^\S\n]{0,100}"
_FRAMES = "passages|contents|conversation|proven"
_ROLES = "system|user|assistant|tool|developer|human|think|thinking|sys"
_TOOLS = "tool_calls?|tool_results?|tool_responses?|function_calls?|function_results?|invoke"
_TURNS = "start_of_turn|end_of_turn|bos|eos|s"
_SLASH = r"\s{0,9}[/／]?\s{0,9}"
_TAG = rf"[<＜](?={_SLASH}(?:{_ROLES}|{_TURNS})\s{{0,9}}[>＞])"
# Whatever follows the name: tools are called with attributes, and half a tag ends a frame as well.
_OPEN_TAG = rf"[<＜](?={_SLASH}(?:(?:{_FRAMES}|{_TOOLS})(?![\w-])|(?:function|parameter)=))"
_TOKEN = "[<＜](?=[|｜])|<(?=<SYS>>|</SYS>>)"  # noqa: S105 # <|im_start|>, <｜begin of sentence｜>
_BRACKETED = r"\[(?=/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT)\])"
_PASSAGE = rf"\[(?=E\d)|{_LINE}\[(?=\d{{1,9}}(?:\]| tokens))"
_FRAMELIKE = re.compile(rf"{_TAG}|{_OPEN_TAG}|{_TOKEN}|{_BRACKETED}|{_PASSAGE}", re.IGNORECASE)


def as_data(text: str) -> str:
    """Return the text of a document so that nothing in it is read as the frame around it."""
    return _FRAMELIKE.sub(lambda match: match[0] + BREAK, text)


def as_title(text: str) -> str:
    """Return a title as one line of data: it stands in the headers of passages."""
    return as_data(" ".join(text.split()))
