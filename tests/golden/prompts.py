"""Every prompt with made-up variables, as files: `python -m tests.golden.prompts` writes them anew.

A change of a prompt then shows in the difference of a commit as what a model gets to read.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from retrieval.agent.prompting import render, variables_of

FOLDER = Path(__file__).parent / "prompts"
MADE_UP: dict[str, str | int] = {
    "most": 3,
    "contents": "[1] Handbook (level 1, 1 children, 0 paragraphs, 60 tokens)",
    "found": 'Proven so far:\n<proven>\n[1] Handbook: "36 months"\n</proven>',
    "language": "English",
    "passages": "[E1] Handbook > Warranty, p.3\nThe SL-420 has a warranty of 36 months.",
    "queries": 4,
    "question": "How long is the warranty of the SL-420?",
    "rounds": 10,
    "turns": "Question: What is the SL-420?\nAnswer: A pump.",
    "words": 80,
}


def names() -> list[str]:
    """Return the names of all prompts."""
    files = resources.files("retrieval.agent") / "prompts"
    return sorted(Path(file.name).stem for file in files.iterdir() if file.name.endswith(".md"))


def rendered(name: str) -> str:
    """Return a prompt as a model would get it."""
    return render(name, **{key: MADE_UP[key] for key in variables_of(name)}) + "\n"


def main() -> None:
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name in names():
        (FOLDER / f"{name}.txt").write_text(rendered(name), encoding="utf-8")


if __name__ == "__main__":
    main()
