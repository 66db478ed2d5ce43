"""PDF through PyMuPDF: text, layout, bookmarks; pdfplumber for the cells of ruled tables.

`parse` gives the tree, `figures` the pictures, `quote_boxes` where a quote stands on its page.
"""

from __future__ import annotations

from .document import NAME, VERSION, parse
from .figures import Figure, figures
from .quotes import quote_boxes

__all__ = ["NAME", "VERSION", "Figure", "figures", "parse", "quote_boxes"]
