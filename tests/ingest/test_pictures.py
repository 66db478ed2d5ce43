"""Pages and figures as pictures: where the quote is marked, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pymupdf
import pytest

from knowledge.ingest.parsers import figures, page_image, parse
from knowledge.ingest.parsers.raster import MOST_PIXELS, Collection
from knowledge.ingest.pictures import PageImage
from knowledge.ingest.preflight import Limits, Refused
from knowledge.ingest.sandbox import figures as figures_in_a_child
from knowledge.ingest.sandbox import page_image as page_image_in_a_child
from knowledge.ingest.tree import Leaf, NodeKind
from tests.ingest.docx.making import docx, p, picture, r
from tests.ingest.pdf import builders
from tests.picture_files import BAND, BLUE, CAPTION, QUOTE, RED, pdf, png

LIMITS = Limits(ocr="off")


def coloured(image: PageImage, least: int = 40) -> tuple[int, int, int, int] | None:
    """Return the box of the yellow pixels, those that hold much less blue than green."""
    pixmap = pymupdf.Pixmap(image.png)
    pixels = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
    red, green, blue = (pixels[:, :, part].astype(int) for part in range(3))
    ys, xs = np.nonzero((green - blue >= least) & (red >= green) & (green > 120))
    if not len(xs):
        return None
    return int(xs.min()), int(ys.min()), int(xs.max()), int(ys.max())


def figure_leaves(data: bytes, filename: str) -> list[Leaf]:
    root = parse(data, filename, limits=LIMITS).root
    return [leaf for leaf in root.leaves() if leaf.kind is NodeKind.FIGURE]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_quote_is_marked_where_it_stands_however_the_page_is_turned(rotation: int) -> None:
    image = page_image(pdf(rotation=rotation), "a.pdf", limits=LIMITS, page=1, quote=QUOTE)
    assert image.found
    box = coloured(image)
    assert box is not None
    # The sentence starts 60 points from the left and stands on the line at 130.
    scale = image.width / (842 if rotation in (90, 270) else 595)
    x0, y0, x1, y1 = (side / scale for side in box)
    assert x0 == pytest.approx(60, abs=4)
    assert y0 < 130 < y1 + 4
    assert y1 - y0 < 25
    assert 200 < x1 - x0 < 260


@pytest.mark.parametrize("sample", [builders.hebrew_in_order, builders.hebrew_reversed])
def test_a_quote_from_right_to_left_is_marked_from_its_own_side(
    sample: Callable[[], bytes],
) -> None:
    data, words = sample(), builders.HEBREW.split()
    beginning = page_image(data, "a.pdf", limits=LIMITS, page=1, quote=" ".join(words[:5]))
    end = page_image(data, "a.pdf", limits=LIMITS, page=1, quote=" ".join(words[-5:]))
    assert beginning.found
    assert end.found
    first, last = coloured(beginning), coloured(end)
    assert first is not None
    assert last is not None
    assert first[0] > last[2] - 10


def test_only_the_quote_is_marked_and_not_its_line() -> None:
    image = page_image(pdf(), "a.pdf", limits=LIMITS, page=1, quote="serviced every ninety")
    whole = page_image(pdf(), "a.pdf", limits=LIMITS, page=1, quote=QUOTE)
    box, line = coloured(image), coloured(whole)
    assert box is not None
    assert line is not None
    assert box[0] > line[0] + 60
    assert box[2] < line[2]


def test_a_quote_that_is_not_on_the_page_has_its_place_framed() -> None:
    image = page_image(
        pdf(), "a.pdf", limits=LIMITS, page=1, quote="Not a word of this.",
        boxes=[(1, 60, 118, 300, 134), (2, 0, 0, 500, 500)],
    )  # fmt: skip
    assert not image.found
    assert coloured(image) == pytest.approx((120, 236, 599, 267), abs=1)


def test_a_mark_leaves_the_letters_as_dark_as_they_were() -> None:
    plain = pymupdf.Pixmap(page_image(pdf(), "a.pdf", limits=LIMITS, page=1).png)
    marked = pymupdf.Pixmap(page_image(pdf(), "a.pdf", limits=LIMITS, page=1, quote=QUOTE).png)

    def dark(pixmap: pymupdf.Pixmap) -> int:
        return int((np.frombuffer(pixmap.samples, np.uint8)[::3] < 60).sum())

    assert dark(marked) == dark(plain) > 0


@pytest.mark.parametrize(("wide", "high"), [(200, 842), (2_400, 842), (842, 14_000)])
def test_no_page_is_drawn_larger_than_a_browser_shows(wide: int, high: int) -> None:
    document = pymupdf.open()
    document.new_page(width=wide, height=high).insert_text((20, 40), "Words.")
    image = page_image(document.tobytes(), "a.pdf", limits=LIMITS, page=1)
    assert image.width <= 1_601
    assert image.width * image.height <= 4_010_000


def test_a_page_of_a_mile_is_refused() -> None:
    document = pymupdf.open()
    document.new_page(width=90_000, height=90_000).insert_text((20, 40), "Words.")
    with pytest.raises(Refused, match="too large to be drawn"):
        page_image(document.tobytes(), "a.pdf", limits=LIMITS, page=1)


@pytest.mark.parametrize("page", [0, 2, 10**9])
def test_a_page_that_is_not_there_is_refused(page: int) -> None:
    with pytest.raises(Refused, match="no page"):
        page_image(pdf(), "a.pdf", limits=LIMITS, page=page)


def test_a_page_that_cannot_be_loaded_is_refused_with_a_quote_and_without() -> None:
    lost = re.sub(rb"/Kids ?\[[^\]]*\]", lambda kids: b"/Kids[]".ljust(len(kids[0])), pdf())
    for quote in (QUOTE, ""):
        with pytest.raises(Refused, match="Page 1 is damaged"):
            page_image(lost, "a.pdf", limits=LIMITS, page=1, quote=quote)


def test_formats_without_pages_have_no_page_image() -> None:
    with pytest.raises(Refused, match="no pages"):
        page_image(b"# A", "a.md", limits=LIMITS, page=1)


@pytest.mark.parametrize("rotation", [0, 90])
def test_the_picture_of_a_pdfs_figure_belongs_to_its_leaf(rotation: int) -> None:
    data = pdf(rotation=rotation, pages=2)
    leaves = figure_leaves(data, "a.pdf")
    assert [leaf.page for leaf in leaves] == [1, 2]
    found = figures(data, "a.pdf", limits=LIMITS, places=[leaf.boxes[0] for leaf in leaves])
    assert [(image.place, image.media_type) for image in found.images] == [
        (0, "image/png"),
        (1, "image/png"),
    ]
    pixmap = pymupdf.Pixmap(found.images[0].data)
    assert (pixmap.width, pixmap.height) == (found.images[0].width, found.images[0].height)
    assert pixmap.pixel(pixmap.width // 2, pixmap.height // 2) == RED
    assert pixmap.pixel(pixmap.width // 2, 5) == BAND
    assert not found.warnings


def test_the_picture_of_a_word_figure_belongs_to_its_leaf() -> None:
    data = docx(
        p(runs=r(inside=picture("one"))) + p("Between.") + p(runs=r(inside=picture("two", "b"))),
        {"word/media/image1.png": png(), "word/media/b.png": png(colour=BLUE)},
    )
    places = [()] * len(figure_leaves(data, "a.docx"))
    found = figures(data, "a.docx", limits=LIMITS, places=places)
    assert [pymupdf.Pixmap(image.data).pixel(100, 100) for image in found.images] == [RED, BLUE]
    assert [image.data for image in found.images] == [png(), png(colour=BLUE)]


def test_drawings_and_damaged_pictures_are_told_and_left_out() -> None:
    collection = Collection()
    collection.add(0, b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>")
    collection.add(1, b"\x01\0\0\0" + bytes(36) + b" EMF" + bytes(40))
    collection.add(2, png())
    collection.add(3, b"no picture at all")
    found = collection.images()
    assert [image.place for image in found.images] == [2]
    assert found.warnings == (
        "2 pictures cannot be shown: drawn in EMF, WMF or SVG.",
        "1 picture cannot be shown: damaged, or in an unknown format.",
    )


def test_a_large_picture_is_made_smaller() -> None:
    collection = Collection()
    collection.add(0, png(3_000, 2_000))
    (image,) = collection.images().images
    assert image.width * image.height <= MOST_PIXELS
    assert image.width == 1_500


def test_no_more_than_two_hundred_figures_are_kept() -> None:
    collection, data = Collection(), png(8, 8)
    for place in range(203):
        collection.add(place, data)
    found = collection.images()
    assert len(found.images) == 200
    assert found.warnings == ("3 pictures cannot be shown: beyond the first that are kept.",)


def test_pictures_come_out_of_the_process_that_reads_files() -> None:
    data = pdf()
    image = page_image_in_a_child(data, "a.pdf", limits=LIMITS, page=1, quote=QUOTE)
    assert image == page_image(data, "a.pdf", limits=LIMITS, page=1, quote=QUOTE)
    places = [leaf.boxes[0] for leaf in figure_leaves(data, "a.pdf")]
    found = figures_in_a_child(data, "a.pdf", limits=LIMITS, places=places)
    assert found == figures(data, "a.pdf", limits=LIMITS, places=places)
    assert len(found.images) == 1
    with pytest.raises(Refused, match="no page 7"):
        page_image_in_a_child(data, "a.pdf", limits=LIMITS, page=7)


def test_the_caption_is_the_text_of_the_leaf() -> None:
    data = pdf()
    document = parse(data, "a.pdf", limits=LIMITS)
    assert [leaf.span.of(document.text) for leaf in figure_leaves(data, "a.pdf")] == [CAPTION]
