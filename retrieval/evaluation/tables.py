"""The figures of an evaluation as Markdown and as a page with charts."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

ROWS = (
    ("tokens_per_question", "Tokens a question", 0),
    ("prompt_tokens", "of these in prompts", 0),
    ("completion_tokens", "of these written", 0),
    ("calls", "Calls of a model", 2),
    ("rounds", "Rounds", 2),
    ("evidence_hit_at_1", "Evidence hit@1", 3),
    ("evidence_hit_at_5", "Evidence hit@5", 3),
    ("evidence_hit_at_10", "Evidence hit@10", 3),
    ("evidence_hit_at_20", "Evidence hit@20", 3),
    ("evidence_recall", "Evidence recall in the answer's prompt", 3),
    ("answer_em", "Exact match", 3),
    ("answer_f1", "Token F1", 3),
    ("abstention_precision", "Abstention precision", 3),
    ("abstention_recall", "Abstention recall", 3),
    ("citation_validity", "Citation validity", 3),
    ("citation_precision", "Citation precision", 3),
    ("escalation_rate", "Escalated", 3),
    ("false_no_escalation", "False no-escalation", 3),
    ("seconds_p50", "Seconds, p50", 2),
    ("seconds_p95", "Seconds, p95", 2),
)
CHARTS = ("tokens_per_question", "evidence_recall", "answer_f1", "false_no_escalation")


def shown(value: object, digits: int) -> str:
    """Return a figure as it is printed; what nobody knows is a dash."""
    return f"{value:,.{digits}f}" if isinstance(value, int | float) else "–"


def markdown(report: Mapping[str, Any]) -> str:
    """Return the report as a Markdown table, presets side by side."""
    parts = [_table(report)]
    for band in report.get("bands", {}).values():
        shares = ", ".join(f"{name} {shown(one, 3)}" for name, one in band["tokens_share"].items())
        parts += [_table(band), f"Tokens as a share of the first preset's: {shares}\n"]
    return "\n".join(parts)


def _table(report: Mapping[str, Any]) -> str:
    presets = list(report["presets"])
    lines = [
        f"# {report['dataset']}, {report['reader']} reader, {report['questions']} questions",
        "",
        "| | " + " | ".join(presets) + " |",
        "|---|" + "---:|" * len(presets),
    ]
    for name, label, digits in ROWS:
        cells = [shown(report["presets"][preset].get(name), digits) for preset in presets]
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
    differences = report.get("differences", {})
    if differences:
        lines += ["", "Paired differences, mean with 95 % bootstrap interval:", ""]
        lines += [f"- {label}: {_interval(one)}" for label, one in differences.items()]
    return "\n".join(lines) + "\n"


def html(report: Mapping[str, Any]) -> str:
    """Return the report as one self-contained page: its charts are SVG, nothing is loaded."""
    presets = list(report["presets"])
    labels = {name: (label, digits) for name, label, digits in ROWS}
    head = "".join(f"<th>{escape(preset)}</th>" for preset in presets)
    rows = "".join(
        f"<tr><th>{label}</th>"
        + "".join(f"<td>{shown(report['presets'][one].get(name), digits)}</td>" for one in presets)
        + "</tr>"
        for name, label, digits in ROWS
    )
    charts = "".join(_chart(report, name, *labels[name]) for name in CHARTS)
    title = escape(f"{report['dataset']}: {report['reader']} reader")
    notes = "".join(
        f"<li>{escape(label)}: {_interval(one)}</li>"
        for label, one in report.get("differences", {}).items()
    )
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>"
        f"<style>{_STYLE}</style><h1>{title}</h1><p>{report['questions']} questions, the same "
        f"corpus, order and reader for every preset.</p><div class=charts>{charts}</div>"
        f"<table><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>"
        f"<h2>Paired differences</h2><ul>{notes}</ul></html>"
    )


_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}table{border-collapse:collapse}th,td{padding:.3rem .8rem;"
    "border-bottom:1px solid #8884;text-align:right}tbody th{text-align:left;font-weight:400}"
    ".charts{display:flex;flex-wrap:wrap;gap:1.5rem;margin:1rem 0}text{fill:currentColor;"
    "font-size:12px}rect{fill:#3b6ea5}"
)


def _chart(report: Mapping[str, Any], name: str, label: str, digits: int) -> str:
    values = [(one, figures.get(name)) for one, figures in report["presets"].items()]
    most = max((value for _, value in values if value), default=1.0) or 1.0
    bars = []
    for at, (preset, value) in enumerate(values):
        y = 24 + at * 26
        width = 180 * (value or 0) / most
        bars.append(
            f"<text x=0 y={y + 14}>{escape(preset)}</text><rect x=100 y={y} width={width:.1f} "
            f"height=18 /><text x={106 + width:.1f} y={y + 14}>{shown(value, digits)}</text>"
        )
    height = 30 + 26 * len(values)
    return (
        f'<svg role=img aria-label="{escape(label)}" width=360 height={height}>'
        f"<text x=0 y=14>{escape(label)}</text>{''.join(bars)}</svg>"
    )


def _interval(one: Mapping[str, float]) -> str:
    return f"{one['mean']:,.3f} ({one['low']:,.3f} to {one['high']:,.3f})"
