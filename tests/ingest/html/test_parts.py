"""Parts of a document, as Markdown has thousands of, that know the notes of the others."""

from __future__ import annotations

from collections.abc import Iterator, Set

from knowledge.ingest.parsers.html import read_part


class Numbers(Set[str]):
    """The numbers of notes from 1, which count how often they are gone through."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.looked_at = 0

    def __contains__(self, number: object) -> bool:
        self.looked_at += 1
        return 0 < int(str(number)) <= self.count

    def __iter__(self) -> Iterator[str]:
        for number in range(1, self.count + 1):
            self.looked_at += 1
            yield str(number)

    def __len__(self) -> int:
        return self.count


def test_a_part_looks_at_few_numbers_of_notes_however_many_there_are() -> None:
    others = Numbers(8_000)
    page = "<p>A claim.<sup>1</sup></p><p><sup>1</sup> The note.</p>"
    text, _ = read_part(page, keep_deleted=False, others=others).composer.composed("en")
    assert text == "A claim.[^8001]\n\n[^8001] The note."
    assert others.looked_at < 20
