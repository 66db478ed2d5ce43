"""Numbers with their units, in the base unit of their dimension."""

from __future__ import annotations

import re

from retrieval.experience.numerals import canonical

# Each dimension: the factor to its base unit, and how the unit is written in four languages.
# Months are no number of days, and currencies have no fixed rate: dimensions of their own.
_UNITS: dict[str, dict[float, str]] = {
    "time": {
        1e-6: "µs us microsecond microseconds мкс 微秒",
        1e-3: "ms millisecond milliseconds millisekunde millisekunden мс миллисекунд* 毫秒",
        1: "s sec secs seconds sekunde sekunden sek сек секунд* 秒 秒钟",
        60: "min mins minute minutes minuten мин минут* 分钟",
        3600: "h hr hrs hour hours std stunde stunden ч час часа часов часами часам 小时 个小时",
        86400: "d day days tag tage tagen дн день дня дней днями дням дневн* 天 日",
        604800: "week weeks woche wochen недел* 周 星期 个星期",
    },
    "months": {
        1: "month months monat monate monaten мес месяц* месячн* 个月 月",
        12: "year years yr yrs jahr jahre jahren год года лет годами годам летн* 年",
    },
    "mass": {
        1e-6: "mg milligram* milligramm мг миллиграмм* 毫克",
        1e-3: "g gram grams gramm г грамм* 克",
        1: "kg kilo kilos kilogram* kilogramm кг килограмм* 公斤 千克",
        0.5: "斤",
        1e3: "t ton tons tonne tonnes tonnen т тонн* 吨",
        0.45359237: "lb lbs pound pounds",
        0.028349523: "oz ounce ounces",
    },
    "length": {
        1e-6: "µm um мкм 微米",
        1e-3: "mm millimet* мм миллиметр* 毫米",
        1e-2: "cm centimet* zentimeter* см сантиметр* 厘米 公分",
        1: "m metre metres meter meters metern м метр* 米",
        1e3: "km kilomet* км километр* 公里 千米",
        0.0254: "inch inches zoll дюйм* 英寸",
        0.3048: "ft foot feet fuß фут* 英尺",
        1609.344: "mile miles meile meilen мил* 英里",
    },
    "area": {1: "m2 sqm qm quadratmeter* м2 平方米 平米", 1e4: "ha hektar* гектар* 公顷"},
    "volume": {
        1e-3: "ml millilit* мл миллилитр* 毫升",
        1: "l litre litres liter liters litern л литр* 升",
        1e3: "m3 kubikmeter* м3 立方米",
    },
    "celsius": {1: "°c ℃ grad градус* 度 摄氏度"},
    "fahrenheit": {1: "°f ℉ 华氏度"},
    "energy": {1: "wh", 1e3: "kwh квтч 千瓦时", 1e6: "mwh"},
    "power": {
        1: "watt watts вт ватт* 瓦",
        1e3: "kw kilowatt квт киловатт* 千瓦",
        1e6: "megawatt мвт 兆瓦",
    },
    "voltage": {1e-3: "mv мв", 1: "volt volts вольт* 伏", 1e3: "kv кв киловольт* 千伏"},
    "current": {1e-3: "ma ма 毫安", 1: "amp amps ampere ампер* 安 安培"},
    "frequency": {1: "hz гц 赫兹", 1e3: "khz кгц 千赫", 1e6: "mhz мгц 兆赫", 1e9: "ghz ггц"},
    "data": {1: "b byte bytes байт*", 1e3: "kb кб", 1e6: "mb мб", 1e9: "gb гб", 1e12: "tb тб"},
    "bits": {1: "bit bits бит*", 1e3: "kbit", 1e6: "mbit mbps мбит", 1e9: "gbit gbps гбит"},
    "pressure": {1: "pa па", 1e3: "kpa кпа 千帕", 1e6: "mpa мпа 兆帕", 1e5: "bar бар"},
    "share": {1: "% percent prozent процент* ％"},
    "eur": {1: "€ eur euro euros евро 欧元"},
    "usd": {1: "$ usd dollar dollars доллар* 美元"},
    "gbp": {1: "£ gbp"},
    "chf": {1: "chf franken франк*"},
    "rub": {1: "₽ rub руб рубл* 卢布"},
    "kzt": {1: "₸ kzt tenge тенге 坚戈"},
    "cny": {1: "cny rmb yuan юан* 元 块 块钱 人民币"},
}  # fmt: skip
_BY_NAME = {
    name.rstrip("*"): (dimension, factor)
    for dimension, units in _UNITS.items()
    for factor, names in units.items()
    for name in names.split()
}
_STEMS = {
    name[:-1] for units in _UNITS.values() for names in units.values() for name in names.split()
    if name.endswith("*")
}  # fmt: skip


def _pattern() -> str:
    """Return what matches a unit after a number, the longest name first."""
    names = sorted(_BY_NAME, key=len, reverse=True)
    return "|".join(
        re.escape(name)
        if re.search(r"[\u4e00-\u9fff%€$£₽₸℃℉％]", name)
        else re.escape(name) + (r"\w*\b" if name in _STEMS else r"\b(?![-'’]?\d)")
        for name in names
    )


# "5 a day", "2 в час": these are units in capitals alone.
_IN_CASE = {
    "MW": ("power", 1e6), "mW": ("power", 1e-3), "W": ("power", 1.0), "V": ("voltage", 1.0),
    "В": ("voltage", 1.0), "A": ("current", 1.0), "А": ("current", 1.0),
}  # fmt: skip
_CURRENCY_FIRST = re.compile(r"([€$£₽₸]|\b(?:EUR|USD|CHF|GBP|RUB|CNY)\b)\s?(\d+(?:\.\d+)?)")
_QUANTITY = re.compile(
    rf"(?<![A-Za-z0-9_.,])(?<![^\W\d]-)([-−]?)(\d+(?:\.\d+)?)\s*-?\s*"
    rf"((?-i:{'|'.join(_IN_CASE)})\b(?!-)|{_pattern()})",
    re.IGNORECASE,
)
_A_YEAR = re.compile(r"(?:19|20)\d\d(?:год[ау]?|年|г)")


def quantities_in(text: str) -> tuple[frozenset[str], str]:
    """Return the quantities of ``text``, as "mass 20", and the text without them.

    ``text`` has its numbers as `with_digits` writes them. Equal quantities in other units of one
    dimension are equal (24 h and 1 day); those of other dimensions never are (5 ms and 5 m).
    """
    found: set[str] = set()

    def keep(match: re.Match[str]) -> str:
        sign, number, written = match[1], match[2], match[3]
        if _A_YEAR.fullmatch(number + written):
            return match[0]
        dimension, factor = _IN_CASE.get(written) or _unit(written.casefold())
        value = canonical(float(number) * factor)
        found.add(f"{dimension} {'-' if sign else ''}{value}")
        return " "

    rest = _QUANTITY.sub(keep, _CURRENCY_FIRST.sub(r"\2 \1", text))
    return frozenset(found), rest


def _unit(written: str) -> tuple[str, float]:
    if written in _BY_NAME:
        return _BY_NAME[written]
    stem = max((stem for stem in _STEMS if written.startswith(stem)), key=len)
    return _BY_NAME[stem]
