"""Language models behind one protocol. Pure: no Django, no database."""
