"""When what was learned from one question may serve another. Pure: no Django, no database."""
