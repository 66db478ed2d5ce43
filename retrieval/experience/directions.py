"""Which way a question compares, and whether it is negated."""

from __future__ import annotations

import re

# Each with its words in English, German, Russian and Chinese. What bounds a number comes first and
# is taken out, for the "not" of "not more than" negates nothing. A preposition that says where
# as well as how much (over, unter, от) counts before a number only.
_NUMBER_AHEAD = r"(?=[^\d?,;]{0,16}\d)"
_BOUNDS = {
    "at most": (
        r"\b(?:not|no) (?:more|longer|later|larger|greater|higher|heavier) than\b|\bat (?:the )?most\b"
        r"|\bup to\b|\bmaxim(?:um|al|ally)\b|\bmax\b|\bupper limit\b|\b(?:not|n't) exceed\w*|\bwithin\b" + _NUMBER_AHEAD,
        r"\bnicht (?:mehr|länger|später|größer|höher|schwerer) als\b|\bhöchstens\b|\bmaximal(?:e[nrsm]?\b)?|\bbis (?:zu )?(?=\d)"
        r"|\bhöchst(?!e[nrsm]?\b)(?=\w)|\bobergrenze\w*|\binnerhalb\b" + _NUMBER_AHEAD,
        r"\bне (?:более|больше|дольше|позже|позднее|выше|дороже|тяжелее)\b|\bмаксим\w+|\bне превыша\w+|\bдо (?=\d)",
        r"至多|最多|不超过|不多于|不高于|不大于|不晚于|上限|以内",
    ),
    "at least": (
        r"\b(?:not|no) (?:less|fewer|shorter|earlier|smaller|lower|lighter) than\b|\bat (?:the )?least\b"
        r"|\bminim(?:um|al|ally)\b|\bmin\b\.?(?! \d)|\blower limit\b",
        r"\bnicht (?:weniger|kürzer|früher|kleiner|leichter) als\b|\bmindestens\b|\bmindest(?=\w)|\bwenigstens\b|\bminimal(?:e[nrsm]?\b)?|\buntergrenze\w*",
        r"\bне (?:менее|меньше|раньше|ранее|короче|ниже|легче)\b|\bминим\w+|\bкак минимум\b|\bхотя бы\b",
        r"至少|最少|不少于|不低于|不小于|不早于|下限",
    ),
}  # fmt: skip
_COMPARISONS = {
    "top": (
        r"\b(?:larg|bigg|high|long|great|heavi|old|fast|strong|new|lat)est\b|\bthe most\b",
        r"\b(?:größ|höchs|längs|meis|spätes|schwers|ältes|schnells|stärks|teuers|neues)te[nrsm]?\b",
        r"\bнаи(?:бол|выс)\w+|\bсам\w+ (?:больш|высок|длинн|дорог|тяж[её]л|поздн|быстр|нов|сильн)\w*",
        r"最[大高长重晚快新强贵]",
    ),
    "bottom": (
        r"\b(?:small|low|short|few|earli|light|young|slow|cheap|weak)est\b|\bthe least\b",
        r"\b(?:kleins|niedrigs|kürzes|wenigs|frühes|leichtes|jüngs|langsams|billigs|günstigs|gerings|schwächs)te[nrsm]?\b",
        r"\bнаи(?:мен|низ)\w+|\bсам\w+ (?:мал|низк|коротк|деш[её]в|л[её]гк|ранн|медленн|стар|слаб)\w*",
        r"最[小低短轻早慢旧弱]|最便宜",
    ),
    "more": (
        r"\bmore than\b|\bor more\b|\bexceed\w*|\b(?:larg|bigg|high|long|great|heavi|old|fast|strong|new)er\b"
        r"|\bmore expensive\b|\b(?:over|above|from)\b(?! (?:the|this|our|a)\b)" + _NUMBER_AHEAD,
        r"\bmehr als\b|\boder mehr\b|\b(?:größer|höher|länger|schwerer|älter|schneller|teurer|stärker|neuer)e?[nrsm]?\b"
        r"|\bübersteig\w+|\b(?:über|oberhalb|ab|von)\b(?! (?:de[rmn]|die|das)\b)" + _NUMBER_AHEAD,
        r"\b(?:более|больше|свыше|дороже|выше|дольше|тяжелее|старше|быстрее|превыша\w+|сверх)\b|\bот\b" + _NUMBER_AHEAD,
        r"超过|高于|大于|多于|以上|超出|(?<=更)[大高长重快多]|比\S+[大高长重快多贵]",
    ),
    "less": (
        r"\bless than\b|\bor less\b|\bfewer\b|\b(?:small|low|short|light|young|slow|cheap|weak)er\b"
        r"|\bless expensive\b|\b(?:under|below)\b(?! (?:the|this|our|a)\b)" + _NUMBER_AHEAD,
        r"\bweniger als\b|\b(?:kleiner|niedriger|kürzer|leichter|jünger|langsamer|billiger|günstiger|geringer)e?[nrsm]?\b"
        r"|\bunterhalb\b|\bunter\b(?! (?:de[rmn]|die|das)\b)" + _NUMBER_AHEAD,
        r"\b(?:менее|меньше|дешевле|ниже|короче|легче|младше|моложе|медленнее)\b",
        r"低于|小于|少于|以下|不足|不到|(?<=更)[小低短轻慢少]|比\S+[小低短轻慢少]|比\S+便宜",
    ),
    "before": (
        r"\bbefore\b|\bprior to\b|\bahead of\b", r"\bvor\b|\bbevor\b|\bvorher\b", r"\bперед\b|\bдо (?!как)",
        r"之前|以前|(?<=[\u4e00-\u9fff])前(?=[需要应该必怎]|\Z)",
    ),
    "after": (
        r"\bafter\b|\bfollowing\b|\bafterwards\b", r"\bnach\b|\bnachdem\b|\bnachher\b", r"\bпосле\b",
        r"之后|以后|(?<=[\u4e00-\u9fff])后(?=[需要应该必怎]|\Z)",
    ),
}  # fmt: skip
_NEGATION = (
    r"\bnot\b|n't\b|\bnever\b|\bno\b(?!\.)|\bnone\b|\bneither\b|\bwithout\b|\bexcept\b|\bunless\b|\bcannot\b"
    r"|\bforbidden\b|\bprohibit\w*|\bbanned\b|\bexclud\w+|\bnon-?(?=[a-z]{4})",
    r"\bnicht\b|\bkein\w*|\bohne\b|\bnie(?:mals|mand\w*)?\b|\baußer\b|\bweder\b|\bverboten\w*|\buntersag\w*|\bausgeschlossen\w*",
    r"\bне\b|\bнет\b|\bнельзя\b|\bбез\b|\bкроме\b|\bникогда\b|\bникто\b|\bзапрещ\w+|\bневозможно\b|\bотсутств\w+",
    r"不|没|未(?!来)|非(?!常|洲)|无(?!线|锡|论)|除[了非]|禁止|勿",
)
# No negation: courtesy, the question "A or not A", and words that are written with 不.
_NO_NEGATION = re.compile(
    r"\bне (?:подскаж|могли бы|скажете|знаете)\w*|\bwhy (?:not|don't)\b|\b(?:is|are|do|does)n't (?:it|they|you)\b"
    r"|\bnot only\b|\bnicht nur\b|\bне только\b|\bnicht wahr\b"
    r"|(.)[不没]\1|有没有|不(?:同|仅|但|锈钢|断|动产|管|论|过|良)",
    re.IGNORECASE,
)


def _compiled(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


_BOUND_WORDS = {name: _compiled(words) for name, words in _BOUNDS.items()}
_COMPARING_WORDS = {name: _compiled(words) for name, words in _COMPARISONS.items()}
_NEGATING_WORDS = _compiled(_NEGATION)
_SIZES = {"at most": "less", "at least": "more"}
_EXTREMES = {"at most": "top", "at least": "bottom"}


def directions_in(text: str) -> tuple[frozenset[str], bool, str]:
    """Return which ways ``text`` compares, whether it is negated, and the text without these words.

    Ways are more, less (of a number, bounds included), top, bottom, before and after. A bound
    without a number asks for an extreme: "how many at most" is "the highest number". ``text``
    has its numbers in digits.
    """
    found: set[str] = set()
    for name, pattern in _BOUND_WORDS.items():
        for match in pattern.finditer(text):
            near = re.search(r"\d", text[match.end() : match.end() + 16])
            near = near or (match[0] == "以内" and re.search(r"\d", text[: match.start()]))
            found.add((_SIZES if near else _EXTREMES)[name])
        text = pattern.sub(" ", text)
    for name, pattern in _COMPARING_WORDS.items():
        if pattern.search(text):
            found.add(name)
            text = pattern.sub(" ", text) if name not in ("before", "after") else text
    negated = bool(_NEGATING_WORDS.search(_NO_NEGATION.sub(" ", text)))
    return frozenset(found), negated, text
