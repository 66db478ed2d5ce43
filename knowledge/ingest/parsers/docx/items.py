"""What the body of a Word document is read into, in order, before headings are told from text."""

from __future__ import annotations

from dataclasses import dataclass, field

from knowledge.ingest.tables import Cell

from .names import Element
from .styles import Look, Style


@dataclass(slots=True)
class Note:
    """A footnote or endnote: its mark in the text and its words."""

    mark: str
    text: str


@dataclass(slots=True)
class Picture:
    """A picture, chart or diagram: ``words`` say what it shows; ``part`` holds its bytes, or ''."""

    words: str
    part: str = ""
    small: bool = False


@dataclass(slots=True)
class TextBox:
    """The w:txbxContent of a text box, to be read after the paragraph it hangs on."""

    content: Element


@dataclass(slots=True)
class Inline:
    """The text of a paragraph and what hangs on it; ``looks`` is (characters, look) per run.

    ``struck`` tells whether words of it were left out that are struck out.
    """

    parts: list[str] = field(default_factory=list)
    looks: list[tuple[int, Look]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    floats: list[Picture | TextBox] = field(default_factory=list)
    struck: bool = False

    @property
    def text(self) -> str:
        """The text, white space as it stands."""
        return "".join(self.parts)


@dataclass(slots=True)
class Paragraph:
    """A paragraph; ``level`` from 1 is what its style says, ``label`` its number or bullet.

    ``size`` is that of most of its characters, in half-points; ``depth`` the level in its list.
    """

    text: str
    style: Style
    level: int | None = None
    label: str | None = None
    depth: int = 0
    bold: bool = False
    size: int = 20
    boxed: bool = False

    @property
    def is_bulleted(self) -> bool:
        """Whether it has a bullet rather than a number."""
        return self.label is not None and not any(map(str.isalnum, self.label))

    @property
    def labelled(self) -> str:
        """The text with the number in front that Word shows."""
        return f"{self.label} {self.text}" if self.label else self.text


@dataclass(slots=True)
class Table:
    """A table: rows of cells, and how many of its rows are headers where the file says so."""

    rows: list[list[Cell]]
    header_rows: int | None


Item = Paragraph | Table | Picture | Note
