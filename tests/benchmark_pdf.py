"""How long a PDF takes from bytes to chunks: `python -m tests.benchmark_pdf [FILE...]`.

The measure is PyMuPDF's own `get_text("dict")` over the same pages in the same run, without the
bytes of images (with them it is slower, and the ratio smaller). Without files a text of 200 pages
is made, and the memory for 1,000 pages is measured in a child process.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pymupdf

from knowledge.ingest.chunking import chunk
from knowledge.ingest.flatten import flatten
from knowledge.ingest.parsers import parse
from knowledge.ingest.preflight import Limits
from tests.ingest.pdf.drawing import Sheet, pages

ROUNDS = 3
TEXT_ONLY = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES


def main(files: list[str]) -> None:
    """Print a line per file, then the memory."""
    sources = [(Path(name).name, Path(name).read_bytes()) for name in files]
    sources = sources or [("200 pages", report(200))]
    to_chunks(report(1))  # the vocabulary is loaded once
    total_own = total_dict = 0.0
    for name, data in sources:
        own = best(to_chunks, data)
        raw = best(extract, data)
        total_own += own
        total_dict += raw
        print(f"{name[:48]:48} dict {raw:6.2f} s, to chunks {own:6.2f} s, ratio {own / raw:4.1f}")
    print(f"{'all':48} ratio {total_own / total_dict:4.1f}")
    if not files:
        code = "from tests.benchmark_pdf import *; to_chunks(report(1000))"
        subprocess.run([sys.executable, "-c", code], check=True)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"1,000 pages: {peak:.0f} MB at most, the making of the file included")


def to_chunks(data: bytes) -> None:
    """Parse, flatten, chunk."""
    document = parse(data, "file.pdf", limits=Limits(ocr="off"))
    chunk(document, flatten(document))


def extract(data: bytes) -> None:
    """Let PyMuPDF give the text of every page."""
    with pymupdf.open(stream=data, filetype="pdf") as document:
        for page in document:
            page.get_text("dict", flags=TEXT_ONLY)


def best(work: Callable[[bytes], None], data: bytes) -> float:
    """Return the shortest of three runs in seconds of the processor."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work(data)
        times.append(time.process_time() - start)
    return min(times)


def report(count: int) -> bytes:
    """Return a text of ``count`` pages with heads, headings and paragraphs."""

    def draw(sheet: Sheet, number: int) -> None:
        sheet.line("Annual report", y=40, size=9)
        sheet.line(f"{number}", x=290, y=815, size=9)
        sheet.heading(f"{number} Section of the year")
        while sheet.y < 740:
            sheet.prose()

    return pages(count, draw)


if __name__ == "__main__":
    main(sys.argv[1:])
