"""Showing a version to a reader: its leaves as HTML, one passage highlighted, the text in parts."""
