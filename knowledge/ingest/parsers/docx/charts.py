"""Charts of Office as lines: their titles, and the values of each series as they are shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from .names import A, C, Element, whole
from .number_formats import formatted

_MOST_POINTS = 200
# Each says its names again for all of the innermost ones.
_MOST_LEVELS = 8
_GENERAL = ("", "general", "@")


def chart_lines(root: Element) -> list[str]:
    """Return the cached titles and values, one line a series: 'Sales: Q1 = 5%; Q2 = 7%'."""
    titles = (
        "".join(t.text or "" for t in title.iter(A + "t")) for title in root.iter(C + "title")
    )
    lines = [title.strip() for title in titles]
    axes = _axes(root)
    system = next(root.iter(C + "date1904"), None)
    from_1904 = system is not None and system.get("val", "1") in ("1", "true")
    for series in root.iter(C + "ser"):
        codes = _codes(series, axes)
        name, names, values = (
            next(filter(None, (_points(series, tag, codes[n], from_1904) for tag in tags)), {})
            for n, tags in enumerate((["tx"], ["cat", "xVal"], ["val", "yVal"]))
        )
        pairs = [
            f"{names[number]} = {value}" if number in names else value
            for number, value in list(values.items())[:_MOST_POINTS]
        ]
        head = " ".join(name.values())
        lines.append(f"{head}: {'; '.join(pairs)}" if head else "; ".join(pairs))
    return [line for line in lines if line]


def _axes(root: Element) -> dict[str, tuple[bool, str]]:
    """Return by its id whether an axis counts values, and the format it has of its own."""
    found = {}
    for tag in ("catAx", "dateAx", "valAx"):
        for axis in root.iter(C + tag):
            identity, form = axis.find(C + "axId"), axis.find(C + "numFmt")
            is_own = form is not None and form.get("sourceLinked", "0") in ("0", "false")
            code = form.get("formatCode", "") if form is not None and is_own else ""
            if identity is not None:
                found[identity.get("val", "")] = (tag == "valAx", code)
    return found


def _codes(series: Element, axes: dict[str, tuple[bool, str]]) -> tuple[str, str, str]:
    """Return the formats that axes give the name of a series, its categories and its values."""
    chart = series.getparent()
    if chart is None:
        return "", "", ""
    own = [axes.get(axis.get("val", ""), (True, "")) for axis in chart.iterchildren(C + "axId")]
    categories = next((code for counts, code in own if not counts), "")
    values = [code for counts, code in own if counts]
    if len(values) > 1:
        # A scatter: its first axis is that of x.
        categories = values[0]
    grouping = chart.find(C + "grouping")
    # The axis of a chart that is stacked to 100 % counts shares, not values.
    is_share = grouping is not None and grouping.get("val") == "percentStacked"
    return "", categories, "" if is_share or not values else values[-1]


def _points(series: Element, tag: str, axis: str, from_1904: bool) -> dict[int, str]:
    found = series.find(C + tag)
    if found is None:
        return {}
    levels = list(found.iter(C + "lvl"))
    if levels:
        return _levelled(levels)
    code = next((part.text or "" for part in found.iter(C + "formatCode")), "")
    points = {
        whole(point.get("idx")): _shown(point, code, axis, from_1904)
        for point in found.iter(C + "pt")
    }
    literal = found.findtext(C + "v")
    return points or ({0: literal.strip()} if literal else {})


def _shown(point: Element, code: str, axis: str, from_1904: bool) -> str:
    text = (point.findtext(C + "v") or "").strip()
    cache = point.getparent()
    if cache is None or cache.tag not in (C + "numCache", C + "numLit"):
        return text
    own = point.get("formatCode") or code
    # Where the cells have no format, the axis may.
    return formatted(text, axis if own.lower() in _GENERAL else own, from_1904=from_1904)


def _levelled(levels: list[Element]) -> dict[int, str]:
    """Return names of several levels, the outermost first; an outer one holds until the next."""
    names: dict[int, list[str]] = defaultdict(list)
    inner = list(_level(levels[0]))
    for level in reversed(levels[1:_MOST_LEVELS]):
        held = ""
        own = dict(_level(level))
        for number, _ in inner:
            held = own.get(number, held)
            if held:
                names[number].append(held)
    return {number: " ".join([*names[number], text]) for number, text in inner}


def _level(level: Element) -> Iterator[tuple[int, str]]:
    for point in level.iter(C + "pt"):
        yield whole(point.get("idx")), (point.findtext(C + "v") or "").strip()
