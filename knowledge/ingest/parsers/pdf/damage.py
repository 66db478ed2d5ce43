"""What reading a damaged file may raise: MuPDF's own errors are no RuntimeErrors."""

from __future__ import annotations

import pymupdf

DAMAGE = (RuntimeError, ValueError, IndexError, TypeError, KeyError, pymupdf.mupdf.FzErrorBase)
