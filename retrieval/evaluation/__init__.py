"""Measuring answers against gold evidence. Pure: no Django, no database."""
