"""What kind of answer a question asks for: a person, a time, a reason, yes or no."""

from __future__ import annotations

import re

from retrieval.agent.constraints import AnswerType, constraints_of

# Kinds of answers, each with the words that ask for it in English, German, Russian and Chinese.
# Where a question may ask for either of two ("how soon"), its words stand under both.
_KINDS = {
    "who": (
        r"\bwho(?:m|se)?\b|\b(?:which|what) (?:person|people|employee|manager|department|team|role)s?\b",
        r"\bwe[rmn]\b|\bwessen\b|\bwelche[rnsm]? (?:person|abteilung|stelle|mitarbeiter)\w*",
        r"\bкто\b|\bкого\b|\bкому\b|\bкем\b|\bчей\b|\bчь[яеёию]\w*|\bкак\w+ (?:сотрудник|отдел|лиц)\w*",
        r"谁|哪[个位]?(?:人|部门|员工|同事)|哪位|什么人|哪些(?:人|员工|部门)",
    ),
    "where": (
        r"\bwhere\b|\b(?:which|what) (?:city|country|place|location|room|building|address)\b",
        r"\bwo(?:hin|her)?\b|\bwelche[rnsm]? (?:ort|stadt|land|raum|gebäude)\w*",
        r"\bгде\b|\bкуда\b|\bоткуда\b|\bв как\w+ (?:город|мест|стран|помещени|здани)\w*",
        r"哪里|哪儿|在哪(?!一?[天年月日])|何处|什么地方|哪个?(?:城市|国家|地方|房间|地点)",
    ),
    "when": (
        r"\bwhen\b|\bwhat time\b|\bwhat\b[^?]*\b(?:opening|office|working|business) hours\b|\b(?:which|what) (?:date|day|month|year|quarter|is the deadline)\b"
        r"|\bhow (?:soon|early|late|quickly|fast)\b",
        r"\bwann\b|\b(?:um )?wie ?viel uhr\b|\bwelche\b[^?]*\böffnungszeit\w*|\bwelche[rnsm]? (?:tag|datum|monat|jahr|zeitpunkt|uhrzeit)\w*|\bwie (?:früh|spät|bald|schnell)\b",
        r"\bкогда\b|\bво сколько\b|\bкаков\w* (?:часы|режим)\b|\bв как\w+ (?:день|дни|месяц|год|срок|врем|час)\w*|\bкак\w+ (?:числ|дат)\w*|\bкак быстро\b",
        r"什么时候|何时|哪一?[天年月日]|几[点号]|什么时间|(?:营业|开放|上班)时间|截止|多快",
    ),
    "how long": (
        r"\bhow (?:long|soon|quickly|fast)\b|\bhow much (?:time|notice)\b"
        r"|\bhow many (?:\w+ )?(?:second|minute|hour|day|week|month|year)s?\b"
        r"|\b(?:what|which)\b[^?]*\b(?:period|duration|lifetime|notice|term|time limit|shelf life)\b",
        r"\bwie (?:lange?|schnell)\b|\bwie ?viele?n? \w*(?:minute|stunde|tage?|woche|monat|jahr)[en]*\b"
        r"|\bwelche[rnsm]? \w*(?:frist|dauer|laufzeit|zeit|zeitraum)\b",
        r"\bкак (?:долго|быстро)\b|\bв как\w+ срок\w*|\bза какое время\b|\bкак\w+\b[^?]*\b(?:срок|продолжительност|длительност)\w*"
        r"|\bсколько\b[^?]*\b(?:времени|секунд|минут|час|дн|ден|недел|месяц|лет|суток|длит|хран|действу)\w*",
        r"多久|多长(?:时间)?|几个?(?:小时|月|星期)|几[天周年]|多少(?:个?(?:小时|月|星期)|[天年周日])",
    ),
    "how often": (
        r"\bhow (?:often|frequently|regularly)\b|\b(?:what|which) (?:intervals?|frequency)\b",
        r"\bwie (?:oft|häufig)\b|\bwelche[nrm]? (?:zeitlichen )?(?:abständ|abstand|intervall|turnus)\w*",
        r"\bкак часто\b|\bкакой (?:периодичност|частот)\w*|\bсколько раз\b",
        r"几次|多少次|(?:多久|多长时间)\S*一次|频率",
    ),
    "price": (
        r"\bhow (?:much|expensive)\b|\b(?:what|which)\b[^?]*\b(?:allowance|budget|limit|rate)\b",
        r"\bwie ?viel\b|\bwie (?:teuer|hoch|groß)\b",
        r"\bсколько\b|\bкак\w+\b[^?]*\b(?:норм|сумм|тариф|ставк|лимит)\w*",
        r"多少钱?|几[元块]|什么价",
    ),
    "how many": (
        r"\bhow (?:many|much|large|big|high|tall|deep|heavy|old|far|wide|accurate|hot|cold)\b"
        r"|\b(?:what|which)\b[^?]*\b(?:number|amount|size|weight|height|limit|percentage|share|rate"
        r"|maximum|minimum|quantity|allowance|discount|budget|length|temperature|population)\b",
        r"\bwie ?viele?n?\b|\bwie (?:hoch|groß|schwer|alt|weit|tief|breit|lang|genau)\b"
        r"|\bwelche[rnsm]? \w*(?:anzahl|menge|zahl|größe|gewicht|höhe|anteil|rabatt|prozent)\w*",
        r"\bсколько\b|\bнасколько\b|\bкак\w+\b[^?]*\b(?:количеств|числ|размер|вес|лимит|норм|скидк|процент"
        r"|ставк|объем|объём|сумм|продолжительност|температур)\w*",
        r"多少钱?|几(?![点号])|多[大高重远深宽]|数量是",
    ),
    "why": (
        r"\bwhy\b|\b(?:what|which)\b[^?]*\b(?:reason|cause)s?\b|\bhow come\b",
        r"\bwarum\b|\bwieso\b|\bweshalb\b|\bwozu\b|\bwelche[mnrs]? (?:grund|gründe|ursache)\w*",
        r"\bпочему\b|\bзачем\b|\bотчего\b|\bпо как\w+ причин\w*|\bкак\w+ причин\w*",
        r"为什么|为何|什么原因|原因是|怎么会",
    ),
    "how": (
        r"\bhow\b(?! (?:long|soon|quick|fast|often|freq|regul|much|exp|many|large|big|high|tall|deep|heavy|old"
        r"|far|wide|acc|hot|cold|early|late|come))"
        r"|\b(?:what|which)\b[^?]*\b(?:steps?|procedure|process|way|method)\b"
        r"|\bwhat (?:(?:do|should|must|can|shall) (?:i|we|you) do\b|to do|happens|(?:is|must|has|needs)(?: to)? be done|can be done|else)",
        r"\bwie\b(?! ?(?:lang|viel|oft|häufig|hoch|groß|teuer|alt|weit|schwer|tief|breit|schnell|früh|spät|bald|genau))"
        r"|\bwelche[nrsm]? (?:schritt|vorgehen|weg)\w*|\bwas\b[^?]*\b(?:tun|machen?|passiert|geschieht)\b",
        r"\bкак\b(?! (?:долго|часто|быстро))|\bкаким образом\b|\bчто\b[^?]*\b(?:делать|сделать|предпринять|происходит)\b"
        r"|\bкакие\b[^?]*\b(?:действия|шаги|меры)\b",
        r"如何|怎么(?!会|样)|怎样(?!的)|哪些(?:步骤|准备)|做(?:什么|哪些|啥)|什么(?:流程|步骤)",
    ),
}  # fmt: skip
_COMPILED = {kind: re.compile("|".join(words), re.IGNORECASE) for kind, words in _KINDS.items()}
_OPEN = re.compile(
    r"\bwhat\b|\bwhich\b|\bwas\b|\bwelche\w*|\bwo(?:mit|für|von|ran|rum|rauf)\b|\bчто\b|\bч[еёи]го\b|\bчему\b|\bчем\b"
    r"|\bкак(?:ой|ая|ое|ие|ого|ому|им|ом|ую|их|ими|ова|ов|ово|овы)\b|\bкотор\w+|什么|哪|怎样的|怎么样",
    re.IGNORECASE,
)
# In German "was" is what.
_YES_NO_ENGLISH = re.compile(
    r"\A(?:(?:if|when|before|after)\b[^,]*, )?(?:and |but |so )?"
    r"(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|am)(?:n't)?\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"\bли\b|\A(?:можно|нужн[оаыё]?|надо|разреш\w+|обязательно|есть) (?!как)"
    r"|吗[?？。\s]*\Z|是否|能否|可否|有没有|([能会要是可])不\1|需不需要|应不应该",
    re.IGNORECASE,
)
_OF_MONEY = frozenset(["price", "how many", "how"])
# "Can you tell me who ..." asks who.
_POLITE = re.compile(
    r"\b(?:can|could|would|will|do) you (?:please )?(?:tell|say|explain|show|know)\b|\bподскаж\w+|\bскажите\b"
    r"|\bкто-нибудь знает\b|知道|告诉|请问",
    re.IGNORECASE,
)


def answers_asked(question: str, language: str) -> frozenset[str]:
    """Return the kinds of answer that would do; none when the question does not tell.

    Kinds are who, where, when, how long, how often, price, how many, why, how, which and yes or
    no. The words that stand first decide: "who is told when ..." asks who. An open "what" may ask
    how as well: "what is to be done", "what are the steps".
    """
    decided = _YES_NO.search(question) or (language == "en" and _YES_NO_ENGLISH.search(question))
    if decided and not _POLITE.search(question):
        return frozenset({"yes or no"})
    matches = {kind: found for kind, one in _COMPILED.items() if (found := one.search(question))}
    first = min((found.start() for found in matches.values()), default=0)
    kinds = {kind for kind, found in matches.items() if found.start() == first}
    if kinds <= _OF_MONEY and constraints_of(question).answer_type is AnswerType.MONEY:
        return frozenset({"price"})
    if not kinds:
        if _OPEN.search(question):
            return frozenset({"which", "how"})
        return frozenset({"yes or no"} if question.rstrip().endswith(("?", "？")) else ())
    if "how often" in kinds:
        return frozenset({"how often"})
    return frozenset(kinds - {"price"} if "how long" in kinds else kinds)


def without_asking(question: str) -> str:
    """Return ``question`` without the words that ask, for a language that is written unspaced."""
    for pattern in (_POLITE, _YES_NO, *_COMPILED.values(), _OPEN):
        question = pattern.sub(" ", question)
    return question
