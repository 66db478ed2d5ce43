"""The prompts as models get them, and their variables."""

from __future__ import annotations

import pytest

from retrieval.agent.prompting import PromptError, prompts_hash, render, variables_of
from retrieval.agent.reading import PROMPTS
from tests.golden.prompts import FOLDER, MADE_UP, names, rendered


@pytest.mark.parametrize("name", names())
def test_a_prompt_reads_as_its_file_says(name: str) -> None:
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert rendered(name) == expected, "python -m tests.golden.prompts writes the files anew"


def test_there_is_a_file_for_every_prompt_and_no_other() -> None:
    assert sorted(file.stem for file in FOLDER.iterdir()) == names()
    assert set(PROMPTS) <= set(names())


@pytest.mark.parametrize("name", names())
def test_a_prompt_takes_exactly_its_own_variables(name: str) -> None:
    wanted = {key: MADE_UP[key] for key in variables_of(name)}
    with pytest.raises(PromptError):
        render(name, **wanted, surplus="x")
    for missing in wanted:
        with pytest.raises(PromptError):
            render(name, **{key: value for key, value in wanted.items() if key != missing})


def test_what_a_variable_holds_is_not_read_for_variables() -> None:
    text = render("agent_question", question="${found} $${question}", found="${question}")
    assert text == "Question: ${found} $${question}\n${question}"


def test_the_hash_tells_sets_of_prompts_apart() -> None:
    assert prompts_hash(PROMPTS) == prompts_hash(reversed(PROMPTS))
    assert len({prompts_hash(PROMPTS), prompts_hash(PROMPTS[1:]), prompts_hash(())}) == 3


@pytest.mark.parametrize("name", ["", "../agent", "agent.md", "none"])
def test_there_is_no_other_prompt(name: str) -> None:
    with pytest.raises(PromptError):
        render(name)
