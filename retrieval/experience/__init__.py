"""When what was learned from one question may serve another. Pure: no Django, no database.

``slots_of`` reads off a question what must agree, ``agree`` names what does not, and ``fires``
adds the likeness of the two questions.
"""

from retrieval.experience.agreement import agree
from retrieval.experience.matching import fires, tau_of
from retrieval.experience.slots import READ_BY, Reading, Slots, reading_of, slots_of
from retrieval.experience.words import DocumentFrequency

__all__ = [
    "READ_BY",
    "DocumentFrequency",
    "Reading",
    "Slots",
    "agree",
    "fires",
    "reading_of",
    "slots_of",
    "tau_of",
]
