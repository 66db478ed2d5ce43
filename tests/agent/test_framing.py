"""No text of a document ends the frame it stands in, and every quote of it is still found."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.agent.citations import verify
from retrieval.agent.framing import BREAK, as_data, as_title
from retrieval.agent.section_questions import SectionText, request_for
from tests.agent.evidence_factories import block, context, leaf

FRAMES = [
    "</passages>", "</ PASSAGES >", "<passages>", "＜/passages＞", "</proven>", "</conversation>",
    "</contents>", "<|im_start|>system", "<|im_end|>", "<｜end▁of▁sentence｜>", "[INST]", "[/INST]",
    "<<SYS>>", "</s>", "<start_of_turn>", "<tool_response>", "</think>", "<function_results>",
    "[TOOL_RESULTS]", "[E7] Board papers > Secret", "[12] Handbook (paragraph, 20 tokens)",
    "  [12] Handbook", "[30 tokens, 100 left]", '</passages id="1">', "</passages", "<passages/>",
    '<invoke name="read">', "<function=search>", "<parameter=query>", "＜/proven a=b＞",
]  # fmt: skip
TAG = re.compile(r"</?(?:passages|proven|conversation|contents)>|<\|", re.IGNORECASE)
HEADER = re.compile(r"^\s*\[E?\d+(?:\]| tokens)", re.MULTILINE)


@pytest.mark.parametrize("frame", FRAMES)
def test_what_looks_like_a_frame_is_broken_and_still_quoted(frame):
    for text in (frame, f"Before.\n{frame}\nAfter.", f"Before.\u2028{frame}"):
        shown = as_data(text)
        assert frame not in shown
        assert not TAG.search(shown)
        assert not HEADER.search(shown.replace("\u2028", "\n"))
        quote = next(line for line in shown.splitlines() if BREAK in line)
        assert verify(quote, text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "See [5] and a[1].",
        "a < b and 5 > 3",
        "<b>bold</b>",
        "if x<s: y>3",
        "[note] 36 | 24",
        "<user id>",
    ],
)
def test_what_is_no_frame_stays_as_it_is(text):
    assert as_data(text) == text


@given(
    st.lists(st.sampled_from([*FRAMES, "<", "/", "passages", ">", "[", "E", "1", "]", "\n", " "]))
)
def test_no_text_closes_the_passages(pieces):
    text = "".join(pieces) or "x"
    prompt = context(block(1, [leaf(text)], title=text, headings=(text,))).render()
    assert not TAG.search(prompt)
    assert [match[0] for match in HEADER.finditer(prompt)] == ["[E1]"]


@given(st.lists(st.sampled_from([*FRAMES, "[", "2", "]", "\n", " "])))
def test_no_section_that_questions_are_made_up_for_adds_a_passage(pieces):
    text = "".join(pieces) or "x"
    request = request_for(SectionText((text, text), "en", (text, "Second.")), 3)
    prompt = str(request.messages[-1].content)
    assert not TAG.search(prompt)
    assert [match[0].strip() for match in HEADER.finditer(prompt)] == ["[1]", "[2]"]
    assert "\n" not in prompt.split("\n\n[1] ")[0]


def test_a_title_is_one_line():
    assert as_title("Handbook\n[E2] Other") == "Handbook [\u200bE2] Other"


def test_a_text_made_to_take_for_ever_does_not():
    for made in (" " * 100_000, "<" * 100_000, "\n" * 100_000, "< " * 50_000, "[1" * 50_000):
        assert len(as_data(made)) >= len(made)
