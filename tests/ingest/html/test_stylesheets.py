"""What the style sheets of a page strike out and hide; where they leave it open, it is read."""

from __future__ import annotations

from tests.ingest.trees import outline, read


def test_a_number_that_a_class_strikes_out_does_not_melt_into_the_one_behind_it() -> None:
    page = (
        "<style>.c0{text-decoration:line-through}.c1{text-decoration:none}</style><table>"
        "<tr><th>Item<th>Fee<tr><td>A<td><span class=c0>100</span><span class=c1>120</span></table>"
    )
    document = read(page, "a.html")
    assert outline(document) == ["table: | Item | Fee | | --- | --- | | A | 120 |"]
    assert document.remarks == ("Struck-out text was left out.",)
