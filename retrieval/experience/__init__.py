"""When what was learned from one question may serve another. Pure: no Django, no database.

``slots_of`` reads off a question what must agree, ``agree`` names what does not, and ``decide``
adds the likeness of the two questions.
"""

from retrieval.experience.agreement import agree
from retrieval.experience.matching import Decision, Reason, decide, tau_of
from retrieval.experience.slots import READING, Slots, slots_from_json, slots_of, slots_to_json
from retrieval.experience.words import DocumentFrequency

__all__ = [
    "READING",
    "Decision",
    "DocumentFrequency",
    "Reason",
    "Slots",
    "agree",
    "decide",
    "slots_from_json",
    "slots_of",
    "slots_to_json",
    "tau_of",
]
