"""How long a PDF takes from bytes to chunks: `python -m tests.benchmark_pdf [FILE...]`.

The measure is PyMuPDF's own `get_text("dict")` over the same pages in the same run, without the
bytes of images (with them it is slower, and the ratio smaller). Of a file with tables the ratio
without the pages they stand on is printed as well. Without files a text of 200 pages is made, and
the memory for 1,000 pages is measured in a child process.
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
from knowledge.ingest.tree import NodeKind
from tests.ingest.pdf.drawing import Sheet, pages

ROUNDS, MOST_ROUNDS = 3, 40
# So many seconds of runs, for a short file's shortest to be steady.
LEAST_S = 0.5
TEXT_ONLY = pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES


def main(files: list[str]) -> None:
    """Print a line per file, then the memory."""
    sources = [(Path(name).name, Path(name).read_bytes()) for name in files]
    sources = sources or [("200 pages", report(200))]
    to_chunks(report(1))  # the vocabulary is loaded once
    total = [0.0, 0.0]
    for name, data in sources:
        raw, own = measured(data)
        total = [total[0] + raw, total[1] + own]
        line = f"{name[:48]:48} dict {raw:6.3f} s, to chunks {own:6.3f} s, ratio {own / raw:4.1f}"
        count, tables, rest = without_tables(data)
        line += f", {len(tables)} of {count} pages with tables"
        if rest:
            raw, own = measured(rest)
            line += f", without them {own / raw:4.1f}"
        print(line, flush=True)
    print(f"{'all':48} ratio {total[1] / total[0]:4.1f}")
    if not files:
        code = "from tests.benchmark_pdf import *; to_chunks(report(1000))"
        subprocess.run([sys.executable, "-c", code], check=True)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"1,000 pages: {peak:.0f} MB at most, the making of the file included")


def measured(data: bytes) -> tuple[float, float]:
    """Return the seconds of PyMuPDF's text and of the way to chunks."""
    return best(extract, data), best(to_chunks, data)


def without_tables(data: bytes) -> tuple[int, set[int], bytes]:
    """Return how many pages a file has, which have tables, and the file without those.

    The file is empty where there are no others, or no tables.
    """
    leaves = parse(data, "file.pdf", limits=Limits(ocr="off")).root.leaves()
    tables = {int(box[0]) for leaf in leaves if leaf.kind is NodeKind.TABLE for box in leaf.boxes}
    with pymupdf.open(stream=data, filetype="pdf") as document:
        count = document.page_count
        rest = [number for number in range(count) if number + 1 not in tables]
        if not tables or not rest:
            return count, tables, b""
        document.select(rest)
        return count, tables, bytes(document.tobytes(garbage=1))


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
    """Return the shortest run in seconds of the processor: of three, short files of more."""
    times: list[float] = []
    while len(times) < ROUNDS or (sum(times) < LEAST_S and len(times) < MOST_ROUNDS):
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
