"""Dates of the admin in English as the other pages write them, without a place to break a line."""

DATE_FORMAT = "j\u00a0M\u00a0Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = f"{DATE_FORMAT},\u00a0{TIME_FORMAT}"
