"""Documents about the words of a paragraph, and about tracked changes."""

from __future__ import annotations

from tests.ingest.docx.making import STYLES, docx, field, lowered, p, r, raised, tbl, tc, tr
from tests.ingest.docx.structure import Sample

_AUTHOR = 'w:id="1" w:author="A" w:date="2024-01-01T00:00:00Z"'
_GONE = f"<w:rPr><w:del {_AUTHOR}/></w:rPr>"


def _inserted(text: str) -> str:
    return f"<w:ins {_AUTHOR}>{r(text)}</w:ins>"


def _deleted(text: str) -> str:
    return f"<w:del {_AUTHOR}><w:r><w:delText>{text}</w:delText></w:r></w:del>"


def changed(before: str = "") -> bytes:
    """Return a document in which $5m became $7m, after the paragraphs ``before``."""
    return docx(before + p("The fee is ", runs=_deleted("$5m") + _inserted("$7m") + r(" a year.")))


def _equation() -> str:
    def part(name: str, text: str) -> str:
        return f"<m:{name}><m:r><m:t>{text}</m:t></m:r></m:{name}>"

    fraction = f"<m:f>{part('num', 'a+b')}{part('den', '2')}</m:f>"
    power = f"<m:sSup>{part('e', 'x')}{part('sup', '2')}</m:sSup>"
    return f"<m:oMath>{power}<m:r><m:t> = </m:t></m:r>{fraction}</m:oMath>"


def _style(name: str, look: str, base: str = "") -> str:
    about = f'<w:name w:val="{name}"/>{base}{look}'
    return f'<w:style w:type="character" w:styleId="{name}">{about}</w:style>'


def _notes(kind: str, words: str = p("see the annex")) -> str:
    return f'<w:{kind} w:id="2">{words}</w:{kind}>'


INLINES: dict[str, Sample] = {
    "tracked_replacement": (changed, ["paragraph: The fee is $7m a year."]),
    "tracked_move": (
        lambda: docx(
            p(runs=f"<w:moveFrom {_AUTHOR}>{r('Here. ')}</w:moveFrom>{r('Stays. ')}")
            + p(runs=f"<w:moveTo {_AUTHOR}>{r('There.')}</w:moveTo>")
        ),
        ["paragraph: Stays.", "paragraph: There."],
    ),
    "deleted_paragraph_mark": (
        lambda: docx(p("one ", about=_GONE) + p("two") + p("three")),
        ["paragraph: one two", "paragraph: three"],
    ),
    "deleted_table_row": (
        lambda: docx(tbl(tr("a", "b"), tr("x", "y", about=f"<w:del {_AUTHOR}/>"), tr("c", "d"))),
        ["table: | | | | --- | --- | | a | b | | c | d |"],
    ),
    "comment_left_out": (
        lambda: docx(
            p("kept", runs=r(inside='<w:commentReference w:id="0"/>')),
            {"word/comments.xml": "<x>secret remark</x>"},
        ),
        ["paragraph: kept"],
    ),
    "footnote": (
        lambda: docx(
            p("A claim", runs=r(inside='<w:footnoteReference w:id="2"/>') + r(".")) + p("Next."),
            {"word/footnotes.xml": _notes("footnote")},
        ),
        ["paragraph: A claim[^1].", "paragraph: [^1] see the annex", "paragraph: Next."],
    ),
    "endnote": (
        lambda: docx(
            p("A claim", runs=r(inside='<w:endnoteReference w:id="2"/>')),
            {"word/endnotes.xml": _notes("endnote")},
        ),
        ["paragraph: A claim[^i]", "paragraph: [^i] see the annex"],
    ),
    "raised_and_lowered_digits": (
        lambda: docx(
            p("It holds 10", runs=raised("6") + r(" litres, 10") + raised("-") + raised("3")
                + r(" m") + raised("2") + r(" of H") + lowered("2") + r("O on the 1") + raised("st")
                + r(" day for 500 euros.") + raised("1"))
        ),
        ["paragraph: It holds 10⁶ litres, 10⁻³ m² of H₂O on the 1st day for 500 euros.[^1]"],
    ),
    "raised_and_lowered_text_without_characters_of_its_own": (
        lambda: docx(
            p("It is 10", runs=raised("6.5") + r(" or 10") + raised("n+1") + r(" of a")
                + lowered("i+1") + r(" on the 2") + raised("nd") + r(" of 25") + raised("1/2"))
        ),
        ["paragraph: It is 10^(6.5) or 10^(n+1) of a_(i+1) on the 2nd of 25¹/²"],
    ),
    "raised_parts_of_a_number_that_are_no_notes": (
        lambda: docx(
            p("It is 25", runs=raised("6.5") + r(" or 25") + raised("6") + raised(".") + raised("5")
                + r(" or 25") + raised("1,2") + r(" or 3,") + raised("99") + r(" in all.")
                + raised("4"))
        ),
        ["paragraph: It is 25^(6.5) or 25⁶.⁵ or 25¹,² or 3,⁹⁹ in all.[^4]"],
    ),
    "digits_raised_by_their_style": (
        lambda: docx(
            p("It holds 10", runs=r("6", '<w:rStyle w:val="Power"/>') + r(" litres, 10")
                + r("6", '<w:rStyle w:val="Power"/><w:vertAlign w:val="baseline"/>')),
            styles=STYLES + _style("Raised", '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>')
                + _style("Power", "", '<w:basedOn w:val="Raised"/>'),
        ),
        ["paragraph: It holds 10⁶ litres, 106"],
    ),
    "raised_digits_of_a_heading_a_table_and_a_note": (
        lambda: docx(
            p("Area in m", "Heading1", runs=raised("2"))
            + tbl(tr("a", "b"), tr("x", tc(p("10", runs=raised("6")))))
            + p("A claim", runs=r(inside='<w:footnoteReference w:id="2"/>') + r("."))
            + p("Weight", "Heading1") + p("None."),
            {"word/footnotes.xml": _notes("footnote", p("10", runs=raised("3")))},
        ),
        [
            "# Area in m²",
            "  table: | a | b | | --- | --- | | x | 10⁶ |",
            "  paragraph: A claim[^1].",
            "  paragraph: [^1] 10³",
            "# Weight",
            "  paragraph: None.",
        ],
    ),
    "notes_typed_by_hand": (
        lambda: docx(
            p("It costs 500 euros.", runs=raised("1") + r(" It fills 60 m") + raised("2")
                + r(" of the ferry") + raised("2") + r("."))
            + tbl(tr("a", "b"), tr("x", tc(p("Fee", runs=raised("3")))))
            + p("It is closed.", runs=raised("4"))
            + p(runs=raised("1") + r(" Since 2020."))
            + p(runs=raised("2") + r("The old one.")) + p(runs=raised("3") + r(" Net."))
            + p(runs=raised("7") + r(" Nobody refers to it."))
        ),
        [
            "paragraph: It costs 500 euros.[^1] It fills 60 m² of the ferry[^2].",
            "paragraph: [^1] Since 2020.",
            "paragraph: [^2] The old one.",
            "table: | | | | --- | --- | | a | b | | x | Fee[^3] |",
            "paragraph: [^3] Net.",
            "paragraph: It is closed.[^4]",
            "paragraph: ⁷ Nobody refers to it.",
        ],
    ),
    "notes_typed_by_hand_with_numbers_of_others": (
        lambda: docx(
            p("One.", runs=raised("1") + r(" Two.") + raised("2")
                + r(inside='<w:footnoteReference w:id="2"/>'))
            + p(runs=raised("2") + r(" Here.")) + p(runs=raised("2") + r(" There.")),
            {"word/footnotes.xml": _notes("footnote")},
        ),
        [
            "paragraph: One.¹ Two.²[^1]",
            "paragraph: [^1] see the annex",
            "paragraph: ² Here.",
            "paragraph: ² There.",
        ],
    ),
    "a_small_raised_face": (
        lambda: docx(p(runs=raised("The fee is 500 euros a year."))),
        ["paragraph: The fee is 500 euros a year."],
    ),
    "field_results_not_instructions": (
        lambda: docx(p("On page ", runs=field(" PAGEREF secret ", "12") + r("."))),
        ["paragraph: On page 12."],
    ),
    "field_without_end": (
        lambda: docx(p("a", runs=r(inside='<w:fldChar w:fldCharType="begin"/>')) + p("b")),
        ["paragraph: a", "paragraph: b"],
    ),
    "hyperlink": (
        lambda: docx(p("see ", runs=f'<w:hyperlink r:id="none">{r("the page")}</w:hyperlink>')),
        ["paragraph: see the page"],
    ),
    "hidden_text": (
        lambda: docx(p("seen", runs=r(" hidden", "<w:vanish/>") + r(" tiny", '<w:sz w:val="2"/>'))),
        ["paragraph: seen"],
    ),
    "symbols_breaks_and_hyphens": (
        lambda: docx(
            p("x", runs=r(inside='<w:tab/><w:sym w:font="Symbol" w:char="F0B3"/><w:t>5</w:t><w:br/>'
                '<w:t>well</w:t><w:noBreakHyphen/><w:t>be</w:t><w:softHyphen/><w:t>ing</w:t>'))
        ),
        ["paragraph: x ≥5 well-being"],
    ),
    "symbols_that_no_font_has": (
        lambda: docx(
            "".join(
                p("a", runs=r(inside=f'<w:sym w:font="Arial" w:char="{code}"/><w:t>b</w:t>'))
                for code in ("-5", "110000", "F" * 5_000, "D800", "none")
            )
        ),
        ["paragraph: a▪b", "paragraph: a▪b", "paragraph: a▪b", "paragraph: a�b", "paragraph: ab"],
    ),
    "equation": (lambda: docx(p("Let ", runs=_equation())), ["paragraph: Let x^2 = (a+b)/2"]),
    "form_fields": (
        lambda: docx(
            p("Agreed ", runs=r(inside='<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox>'
                '<w:checked/></w:checkBox></w:ffData></w:fldChar>')
                + r(inside='<w:fldChar w:fldCharType="end"/>'))
        ),
        ["paragraph: Agreed ☒"],
    ),
    "words_split_over_runs": (
        lambda: docx(p("sp", runs=r("li", "<w:b/>") + r("t up"))),
        ["paragraph: split up"],
    ),
    "right_to_left": (
        lambda: docx(p(about="<w:bidi/>", runs=r("שלום עולם", "<w:rtl/>"))),
        ["paragraph: שלום עולם"],
    ),
}  # fmt: skip
