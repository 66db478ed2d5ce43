"""Language models behind one protocol. Pure: no Django, no database.

`chat.ChatModel` is what the rest of Cairn knows. `openai_model.OpenAIChatModel` is the one that
talks to servers; importing it takes the half second of the openai package.
"""
