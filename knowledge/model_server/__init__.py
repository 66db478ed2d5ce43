"""What every client of an OpenAI-compatible server shares: address, connection, waiting, words.

Pure: no Django, no database.
"""
