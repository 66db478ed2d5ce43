"""Keep both vectors in the entry's own row.

A row is a little over the 2 kB from which PostgreSQL moves columns out of line, and would lose its
lexical vector to another table: an exact scan of 20,000 entries then fetches 60,000 more pages.
MAIN moves a column out only if the row does not fit a page otherwise.
"""

from django.db import migrations

IN_LINE = """
    ALTER TABLE knowledge_indexentry
        ALTER COLUMN dense SET STORAGE MAIN, ALTER COLUMN lexical SET STORAGE MAIN
"""
OUT_OF_LINE = """
    ALTER TABLE knowledge_indexentry
        ALTER COLUMN dense SET STORAGE EXTERNAL, ALTER COLUMN lexical SET STORAGE EXTERNAL
"""


class Migration(migrations.Migration):
    dependencies = [("knowledge", "0002_isolation")]

    operations = [migrations.RunSQL(IN_LINE, OUT_OF_LINE)]
