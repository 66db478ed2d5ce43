"""Documents about order, headings, lists, tables, figures: name to (builder, expected outline)."""

from __future__ import annotations

from collections.abc import Callable

from tests.ingest.docx.making import (
    PIXEL,
    STYLES,
    bold,
    docx,
    item,
    named,
    numbering,
    p,
    picture,
    r,
    strict,
    tbl,
    tc,
    textbox,
    tr,
)

Sample = tuple[Callable[[], bytes], list[str]]

_LEGAL = numbering(("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "%3)"))
_BULLETS = numbering(("bullet", "\uf0b7"), ("bullet", "o"))
_RESTART = (
    '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">'
    '<w:startOverride w:val="1"/></w:lvlOverride></w:num>'
)
_GERMAN = (
    '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="Überschrift 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/>'
    '<w:basedOn w:val="berschrift1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="My own"/>'
    '<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
)
_TEMPLATE = "".join(
    f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
    for key, name in (("CN", "ChapterNumber"), ("CT", "ChapterTitle"), ("HeadA", "HeadA"),
                      ("HeadB", "HeadB"))
)  # fmt: skip
_PROSE = "Plain words that fill a paragraph of the text, as prose does."
_DIAGRAM = (
    f"{named('dgm:dataModel')}<dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t>"
    "</dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Build</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst>"
    "</dgm:dataModel>"
)
_CHART = (
    f"{named('c:chartSpace')}<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p>"
    "</c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache>"
    "<c:pt idx='0'><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef>"
    "<c:strCache><c:pt idx='0'><c:v>Q1</c:v></c:pt><c:pt idx='1'><c:v>Q2</c:v></c:pt></c:strCache>"
    "</c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx='0'><c:v>5</c:v></c:pt>"
    "<c:pt idx='1'><c:v>7</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart>"
    "</c:plotArea></c:chart></c:chartSpace>"
)


def _graphic(inside: str) -> str:
    return p(
        runs=r(
            inside="<w:drawing><wp:inline><wp:docPr id='1' name='x'/><a:graphic><a:graphicData>"
            f"{inside}</a:graphicData></a:graphic></wp:inline></w:drawing>"
        )
    )


def _span(count: int) -> str:
    return f'<w:gridSpan w:val="{count}"/>'


def _merged() -> str:
    goes_on = tc(p(), "<w:vMerge/>")
    return tbl(
        tr(tc(p("Region"), '<w:vMerge w:val="restart"/>'), tc(p("Revenue"), _span(2)),
           tc(p("Cost"), _span(2))),
        tr(goes_on, "2021", "2022", "2021", "2022"),
        tr("North", "11", "12", "13", "14"),
    )  # fmt: skip


STRUCTURE: dict[str, Sample] = {
    "paragraph_table_paragraph": (
        lambda: docx(p("before") + tbl(tr("one", "two")) + p("after")),
        ["paragraph: before", "table: | | | | --- | --- | | one | two |", "paragraph: after"],
    ),
    "shallower_heading_after_deeper": (
        lambda: docx(p("A", "Heading1") + p("B", "Heading3") + p("x") + p("C", "Heading1")),
        ["# A", "  # B", "    paragraph: x", "# C"],
    ),
    "title_style_names_the_document": (
        lambda: docx(p("Handbook", "Title") + p("A", "Heading1") + p("x") + p("B", "Heading1")),
        ["# A", "  paragraph: x", "# B"],
    ),
    "localised_and_derived_heading_styles": (
        lambda: docx(
            p("Eins", "berschrift1") + p("Zwei", "Own") + p("x") + p("Drei", "Kapitel"),
            styles=STYLES + _GERMAN,
        ),
        ["# Eins", "  # Zwei", "    paragraph: x", "# Drei"],
    ),
    "publisher_template": (
        lambda: docx(
            p("9", "CN")
            + p("Errors", "CT")
            + p("Kinds", "HeadA")
            + p("Mild", "HeadB")
            + p("x")
            + p("Summary", "HeadA"),
            styles=STYLES + _TEMPLATE,
        ),
        ["# Kinds", "  # Mild", "    paragraph: x", "# Summary"],
    ),
    "strict_variant_of_the_standard": (
        lambda: strict(docx(p("A", "Heading1") + p("x") + p("B", "Heading1"))),
        ["# A", "  paragraph: x", "# B"],
    ),
    "bold_lines_as_headings": (
        lambda: docx(bold("Purpose") + p(_PROSE) + bold("Scope of use") + p(_PROSE)),
        ["# Purpose", f"  paragraph: {_PROSE}", "# Scope of use", f"  paragraph: {_PROSE}"],
    ),
    "larger_lines_above_bold_lines": (
        lambda: docx(
            bold("Manual", 40)
            + bold("Start", 28)
            + p(_PROSE)
            + p(_PROSE)
            + bold("Stop", 28)
            + p(_PROSE)
            + p(_PROSE)
            + p(_PROSE)
        ),
        [
            "# Start",
            *[f"  paragraph: {_PROSE}"] * 2,
            "# Stop",
            *[f"  paragraph: {_PROSE}"] * 3,
        ],
    ),
    "bold_address_is_no_heading": (
        lambda: docx(
            "".join(bold(line, 22) for line in ("Example Ltd", "High Street", "London", "England"))
            + p(_PROSE) * 6
        ),
        [
            "paragraph: Example Ltd",
            "paragraph: High Street",
            "paragraph: London",
            "paragraph: England",
            *[f"paragraph: {_PROSE}"] * 6,
        ],
    ),
    "numbered_headings": (
        lambda: docx(
            item("Scope", 1, 0, "Heading1")
            + item("Terms", 1, 1, "Heading2")
            + p("x")
            + item("Rules", 1, 0, "Heading1"),
            {"word/numbering.xml": _LEGAL},
        ),
        ["# 1. Scope", "  # 1.1 Terms", "    paragraph: x", "# 2. Rules"],
    ),
    "numbered_list_restarts": (
        lambda: docx(
            item("a") + item("b") + item("deep", 1, 2) + p("then") + item("c", 2) + item("d"),
            {
                "word/numbering.xml": numbering(
                    ("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "%3)"), extra=_RESTART
                )
            },
        ),
        ["list: 1. a 2. b a) deep", "paragraph: then", "list: 1. c 2. d"],
    ),
    "bulleted_list": (
        lambda: docx(
            item("one") + item("sub", 1, 1) + item("two"), {"word/numbering.xml": _BULLETS}
        ),
        ["list: - one - sub - two"],
    ),
    "merged_cells_2x5": (
        lambda: docx(_merged()),
        [
            "table: | Region | Revenue, 2021 | Revenue, 2022 | Cost, 2021 | Cost, 2022 | "
            "| --- | --- | --- | --- | --- | | North | 11 | 12 | 13 | 14 |"
        ],
    ),
    "nested_table": (
        lambda: docx(
            tbl(tr("left", tc(p("right") + tbl(tr("inner1", "inner2"), tr("inner3", "")) + p())))
        ),
        ["table: | | | | --- | --- | | left | right; inner1, inner2; inner3 |"],
    ),
    "table_as_frame": (
        lambda: docx(tbl(tr(tc(p("Inside", "Heading1") + p("text"))))),
        ["paragraph: text"],
    ),
    "rows_and_cells_in_content_controls": (
        lambda: docx(
            "<w:sdt><w:sdtContent>"
            + p("held")
            + "</w:sdtContent></w:sdt>"
            + tbl("<w:sdt><w:sdtContent>" + tr("a", "b") + "</w:sdtContent></w:sdt>", tr("c", "d"))
        ),
        ["paragraph: held", "table: | | | | --- | --- | | a | b | | c | d |"],
    ),
    "text_box_read_once": (
        lambda: docx(
            p(
                "anchor",
                runs=r(
                    inside="<mc:AlternateContent><mc:Choice Requires='wps'>"
                    + textbox(p("zebra"))
                    + "</mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>"
                    "<w:txbxContent>"
                    + p("zebra")
                    + "</w:txbxContent></v:textbox></v:shape></w:pict>"
                    "</mc:Fallback></mc:AlternateContent>"
                ),
            )
        ),
        ["paragraph: anchor", "paragraph: zebra"],
    ),
    "text_box_of_old_word": (
        lambda: docx(
            p(
                runs=r(
                    inside="<w:pict><v:shape><v:textbox><w:txbxContent>"
                    + p("giraffe")
                    + "</w:txbxContent></v:textbox></v:shape></w:pict>"
                )
            )
        ),
        ["paragraph: giraffe"],
    ),
    "picture_with_caption_and_alternative_text": (
        lambda: docx(
            p(runs=r(inside=picture("A red pump"))) + p("Figure 1. The pump", "Caption") + p("x"),
            {"word/media/image1.png": PIXEL},
        ),
        ["figure: Figure 1. The pump A red pump", "paragraph: x"],
    ),
    "picture_without_words": (
        lambda: docx(p("x") + p(runs=r(inside=picture())), {"word/media/image1.png": PIXEL}),
        ["paragraph: x", "figure: Image"],
    ),
    "diagram_smartart": (
        lambda: docx(_graphic("<dgm:relIds r:dm='data1'/>"), {"word/diagrams/data1.xml": _DIAGRAM}),
        ["figure: Plan Build"],
    ),
    "chart_with_cached_values": (
        lambda: docx(_graphic("<c:chart r:id='chart1'/>"), {"word/charts/chart1.xml": _CHART}),
        ["figure: Sales North: Q1 = 5; Q2 = 7"],
    ),
    "code_keeps_its_lines": (
        lambda: docx(p("if x:", "Code") + p("    run()", "Code") + p("after")),
        ["code: if x: run()", "paragraph: after"],
    ),
    "table_of_contents_left_out": (
        lambda: docx(p("Start 1", "TOC1") + p("Start", "Heading1") + p("x")),
        ["paragraph: x"],
    ),
}
