"""From evidence to a checked answer. Pure: no Django, no database.

``assembly.assemble`` makes a `Context` of the hits, a `Reasoner` writes a `Draft` from it, and
``checking.check`` keeps of the draft what its quotes prove. ``events`` are what a reader is told
meanwhile.
"""
