"""What a question asks for, read off its words without a model: years, codes, kind of answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from retrieval.agent.numbers import NUMBER, values_in, values_of


class AnswerType(StrEnum):
    """What an answer must hold; ANY is nothing in particular."""

    MONEY = "money"
    SHARE = "share"
    TIME = "time"
    NUMBER = "number"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Constraints:
    """What evidence must agree with.

    ``years`` and ``codes`` (SL-420, E11, 5.1) are as written, codes in lower case without hyphens;
    ``quoted`` are the words the question puts between quotation marks; ``amount`` the values of
    what it says the thing asked for costs, none where it does not.
    """

    question: str
    years: frozenset[str]
    codes: frozenset[str]
    quoted: tuple[str, ...]
    answer_type: AnswerType
    negated: bool
    amount: frozenset[str] = frozenset()


# A year is no year before a unit ("2000 euros") nor in a code.
_YEAR = re.compile(
    r"(?<![\w.,-])(?:19|20)\d{2}(?=\s*年)|"
    r"(?<![\w.,-])(?:19|20)\d{2}(?![\w%°€$-]|[.,]\d|\s*(?:euro|eur\b|usd|dollar|%|°|€|\$|km|kg|m\b))"
)
_LETTERED = re.compile(
    r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?![\w-])", re.ASCII
)
# 15th, 3rd, 30m, 8h: a number with its unit.
_NOT_A_CODE = re.compile(r"(?:19|20)\d{2}s?|\d+(?:st|nd|rd|th|[a-z]{1,3})", re.IGNORECASE)
# One dot makes a decimal fraction as well: only after a name ("Console 5.1") is it a version,
# and neither thousands (1.490) nor an amount of money (12.50 Euro) is one.
_THOUSANDS = r"\d{1,3}(?:\.\d{3})+(?![\w.]*\d)"
_DOTTED = re.compile(rf"(?<![\w.,])(?!{_THOUSANDS})\d+(?:\.\d+){{2,}}(?![\w.,]*\d)")
_RELEASE = re.compile(
    r"(?:\b[A-Z][A-Za-z]+|\b(?:[Vv]ersion|[Rr]elease|[Вв]ерси\w+)|版本)\W{0,2}"
    rf"(?!{_THOUSANDS})(\d+\.\d+)(?![\w.,]*\d|\s*(?:[Ee]uro|EUR\b|USD|[Dd]ollar|[%€$]))"
)
_VERSION = re.compile(
    r"(?:\b(?:version|release|верси\w+)|版本)\W{0,2}(\d+)(?![\w.,]*\d)", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“„«「『](.{2,80}?)[\"”“»」』]")
_ASKED = {  # the first that matches counts
    AnswerType.MONEY: re.compile(
        r"\b(?:what|how much|which)\b[^.?!]*"
        r"\b(?:prices?|costs?|fees?|pay|paid|charges?|charged|salary|wage|rent|tariff)\b"
        r"|\bhow expensive\b|\b(?:was|wie ?viel|wie hoch|welche\w*)\b[^.?!]*"
        r"\b(?:preis\w*|kosten|kostet|gebühr\w*|bezahl\w*|gehalt)\b|\bwie teuer\b"
        r"|\b(?:сколько|как(?:ова|ов|ая|ой))\b[^.?!]*"
        r"\b(?:цен[аыуе]|сто[ия]т\w*|стоимост\w+|плат[ияеуё]\w*|оплат\w+|зарплат\w+|тариф\w*)\b"
        r"|多少钱|(?:多少|什么|几).*(?:价格|价钱|费用|收费|租金|工资)"
        r"|(?:价格|价钱|费用|收费|租金|工资).*(?:多少|什么|几)",
        re.IGNORECASE,
    ),
    AnswerType.SHARE: re.compile(
        r"\bhow much of\b|\bpercent\w*|\b(?:what|which) (?:share|proportion|fraction|part)\b"
        r"|\bprozent\w*|\bwelcher anteil\b|\bпроцент\w*|\bкак\w+ (?:доля|часть)\b|百分|比例",
        re.IGNORECASE,
    ),
    AnswerType.TIME: re.compile(
        r"\bwhen\b|\bhow (?:long|soon|fast|quickly|early|late|often)\b|\bdeadline\b"
        r"|\b(?:what|which) (?:date|day|month|year|time)\b|\bhow much time\b"
        r"|\bwann\b|\bwie (?:lange|oft|schnell)\b|\bwelche[rmns]? (?:tag|jahr|monat)\b"
        r"|\bкогда\b|\bкак (?:долго|быстро|часто|скоро)\b|\bв како[мй] году\b"
        r"|\bза какое время\b|\bсколько (?:\w+ )?времени\b|\bкакого числа\b"
        r"|什么时候|何时|哪一?[年天日月]|多久|多长时间|多少[天年]|几[天年月]",
        re.IGNORECASE,
    ),
    AnswerType.NUMBER: re.compile(
        r"\bhow (?:many|much|big|large|high|far|old|accurate|heavy|hot|cold|deep|wide|tall)\b"
        r"|\b(?:what|which) (?:\w+ ){0,2}"
        r"(?:rate|number|amount|limit|discount|size|age|population|temperature|score)\b"
        r"|\bwie ?(?:viele?|hoch|groß|alt)\b"
        r"|\bсколько\b|\bкакова? (?:\w+ )?(?:сумма|ставка|численность)\b|\bкаким было население\b"
        r"|多少|几[个名位次种]|多[大高远]",
        re.IGNORECASE,
    ),
}
# "Which machine costs 1,490 euros?" asks for the machine, and for none of another price.
_AMOUNT_GIVEN = re.compile(
    r"\b(?:costs?|kostet|kosten|сто[ия]т)\W+(?P<bound>(?:less|more|about|weniger|mehr|etwa|меньше"
    rf"|больше|около)\W+(?:(?:than|als|чем)\W+)?)?(?:[$€£¥₽] ?)?(?P<amount>{NUMBER})",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|no|without|except|isn't|don't|doesn't|can't|cannot|nicht|kein\w*|ohne|nie)\b"
    r"|\b(?:не|нет|нельзя|без|кроме)\b|不|没有|未|除了",
    re.IGNORECASE,
)


def constraints_of(question: str) -> Constraints:
    """Return what ``question`` asks for; empty sets and ANY where it does not say."""
    given = _AMOUNT_GIVEN.search(question)
    asked = (
        kind
        for kind, pattern in _ASKED.items()
        if pattern.search(question) and not (kind is AnswerType.MONEY and given)
    )
    return Constraints(
        question=question,
        years=years_in(question),
        codes=codes_in(question),
        quoted=tuple(match[1].strip() for match in _QUOTED.finditer(question)),
        answer_type=next(asked, AnswerType.ANY),
        negated=bool(_NEGATED.search(question)),
        amount=values_of(given["amount"]) if given and not given["bound"] else frozenset(),
    )


def years_in(text: str) -> frozenset[str]:
    """Return the years 1900 to 2099 that ``text`` names."""
    return frozenset(match[0] for match in _YEAR.finditer(text))


def codes_in(text: str) -> frozenset[str]:
    """Return the codes of ``text``, in lower case and without hyphens.

    They are letters with digits (SL-420), versions after a name (Console 5.1, version 6) and
    numbers with two dots and more.
    """
    lettered = (match[0] for match in _LETTERED.finditer(text))
    found = [code for code in lettered if not _NOT_A_CODE.fullmatch(code)]
    found += [match[0] for match in _DOTTED.finditer(text)]
    found += [match[1] for match in _RELEASE.finditer(text)]
    found += [f"version {match[1]}" for match in _VERSION.finditer(text)]
    return frozenset(code.replace("-", "").lower() for code in found)


_MONEY = re.compile(
    r"[$€£¥₽₸]|\b(?:euros?|eur|usd|dollars?|cents?|francs?|chf|gbp|pounds?|yuan|rmb|cny|tenge|kzt"
    r"|rubles?|free of charge|kostenlos|бесплатн\w*|руб\w*|тенге|евро|доллар\w*)\b"
    r"|元|欧元|美元|人民币|免费",
    re.IGNORECASE,
)
# "20 EUR" tells no time.
_AMOUNT = re.compile(
    rf"[$€£¥₽₸] ?{NUMBER}|(?<![\d.,]){NUMBER} ?(?:[$€£¥₽₸%]|(?:euros?|eur|usd|dollars?|chf|gbp"
    r"|руб\w*|евро|тенге|per ?cent|prozent|процент\w*)\b|元|欧元|美元)",
    re.IGNORECASE,
)
# A column of prices often leaves the currency to the text above the table.
_PRICED = re.compile(
    r"(?:\A|; )[^;:]*(?:\b(?:price|cost|fee|charge|salary|wage|rent|tariff)s?"
    r"|(?:preis|kosten|gebühr|gehalt|miete)\w{0,2}|\b(?:цен|стоимост|тариф|зарплат|плат)\w{0,3}"
    r"|价格?|费用?|租金|工资)(?: [^;:]*)?: *[^\w;]{0,3}\d",
    re.IGNORECASE,
)
# The cell of what costs nothing says so in words; prose says it of much that is not asked for.
_FREE = re.compile(
    r": *(?:free(?: of charge)?|no (?:charge|cost|fee)|gratis|kostenlos|kostenfrei|бесплатно|免费)"
    r" *(?:;|\Z)",
    re.IGNORECASE,
)
# Said as a share of what else is paid.
_PAID = (
    r"(?:supplement|surcharge|discount|fee|bonus|commission|paid|zuschlag|rabatt|gebühr|надбавк"
    r"|доплат|скидк|комисси)"
)
_SHARE_SIGN = r"\d ?(?:%|per ?cent|prozent|процент)"
_PERCENT = re.compile(rf"{_SHARE_SIGN}.*{_PAID}|{_PAID}.*{_SHARE_SIGN}", re.IGNORECASE)
_SHARE = re.compile(
    r"[%‰]|\bper ?cent|\b(?:half|third|quarter|hälfte|drittel|полов\w+|треть\w*|четверт\w*)\b"
    r"|[一二三四五六七八九]成|分之",
    re.IGNORECASE,
)
_DIGITS = re.compile(NUMBER)
_VALUE = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|once|half|daily"
    r"|weekly|monthly|yearly|hundred|thousand|million|none"
    r"|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf"
    r"|один\w*|одн(?:а|о|ого|ой|ому|им|ом|у|их)|дв(?:а|е|ух|ум|умя|адцат\w+|енадцат\w+|ести)"
    r"|тр(?:и|[её]х|[её]м|емя|инадцат\w+|идцат\w+|иста)|четыр\w+|пят(?:[ьи]\w*|надцат\w+)|шест\w+"
    r"|сем(?:ь|и|ью|надцат\w+|ьдесят\w*|ьсот)|вос[ье]м\w*|девят\w+|десят\w+|сто|сот(?:ен|н\w+)?"
    r"|полов\w+|втро[её]м|вдво[её]м)\b"
    r"|[一二两三四五六七八九十百千万半]",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|immediately|at once|always"
    r"|day|week|month|year|hour|minute|century|summer|winter|spring|autumn"
    r"|sofort|tag|woche|monat|jahr|stunde)s?\b"
    r"|\b(?:январ|феврал|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр|понедельник"
    r"|вторник|сред[аыу]|четверг|пятниц|суббот|воскресен|немедленно|сразу|век|год|месяц|недел|день"
    r"|дн[ея]|час|минут)\w*"
    r"|[年月日天周时]|星期|立即",
    re.IGNORECASE,
)


def holds_answer_type(text: str, wanted: AnswerType, question: str = "") -> bool:
    """Return whether ``text`` holds what an answer of that type needs.

    ``text`` of a table row should carry its headers: "Price (EUR): 112" names money only there.
    Codes, and the numbers that ``question`` holds itself, answer nothing.
    """
    text = _without_given(text, question)
    match wanted:
        case AnswerType.MONEY:
            priced = _FREE.search(text) or _PRICED.search(text) or _PERCENT.search(text)
            return bool(priced or (_MONEY.search(text) and _VALUE.search(text)))
        case AnswerType.SHARE:
            return bool(_SHARE.search(text))
        case AnswerType.TIME:
            return bool(_VALUE.search(_AMOUNT.sub(" ", text)) or _TIME.search(text))
        case AnswerType.NUMBER:
            return bool(_VALUE.search(text))
        case AnswerType.ANY:
            return True


def _without_given(text: str, question: str) -> str:
    given = values_in(question)
    text = _LETTERED.sub(lambda code: code[0] if _NOT_A_CODE.fullmatch(code[0]) else " ", text)
    return _DIGITS.sub(lambda one: one[0] if given.isdisjoint(values_of(one[0])) else " ", text)
