"""Word documents written part by part, so that each says exactly one thing."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_NAMES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_KINDS = ("styles", "numbering", "footnotes", "endnotes")
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d4944415478da63fccff0bf1e000704027f9d2d8c5b0000000049454e44ae426082"
)

STYLES = """
<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>
<w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/>
<w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading3"><w:name w:val="heading 3"/>
<w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="Code"><w:name w:val="Code"/></w:style>
<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
"""


def docx(body: str, parts: Mapping[str, str | bytes] | None = None, styles: str = STYLES) -> bytes:
    """Return a document with ``body`` inside w:body.

    ``parts`` are further parts by path; those called word/styles.xml and the like are put inside
    their root element. ``media`` relationships lead to word/media by the file's stem as id.
    """
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_RELATIONS[:-13]}content-types"/>',
        "_rels/.rels": _relations([("rId1", "officeDocument", "word/document.xml")]),
        "word/document.xml": f"{_HEAD}<w:document {_NAMES}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": _root("styles", styles),
    }
    related = [("styles", "styles", "styles.xml")]
    for path, content in (parts or {}).items():
        stem = path.rpartition("/")[2].partition(".")[0]
        if stem in _KINDS and isinstance(content, str):
            files[path] = _root(stem, content)
            related.append((stem, stem, f"{stem}.xml"))
            continue
        files[path] = f"{_HEAD}{content}" if isinstance(content, str) else content
        related.append((stem, "image", path.removeprefix("word/")))
    files["word/_rels/document.xml.rels"] = _relations(related)
    return zipped(files)


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of ``files``; equal files give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def strict(data: bytes) -> bytes:
    """Return a document with the names of the standard's strict variant."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    transitional = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    return zipped(
        {
            name: content.replace(transitional, b"http://purl.oclc.org/ooxml/wordprocessingml/main")
            for name, content in files.items()
        }
    )


def named(element: str) -> str:
    """Return the opening of ``element`` with all namespaces declared: '<c:chartSpace xmlns...'."""
    return f"<{element} {_NAMES}>"


def p(text: str = "", style: str = "", *, about: str = "", runs: str = "") -> str:
    """Return a paragraph of one run of ``text`` and further ``runs``; ``about`` goes into w:pPr."""
    named_style = f'<w:pStyle w:val="{style}"/>' if style else ""
    properties = f"<w:pPr>{named_style}{about}</w:pPr>" if style or about else ""
    return f"<w:p>{properties}{r(text) if text else ''}{runs}</w:p>"


def r(text: str = "", look: str = "", *, inside: str = "") -> str:
    """Return a run; ``look`` goes into w:rPr, ``inside`` follows the text."""
    properties = f"<w:rPr>{look}</w:rPr>" if look else ""
    words = f'<w:t xml:space="preserve">{text}</w:t>' if text else ""
    return f"<w:r>{properties}{words}{inside}</w:r>"


def raised(text: str) -> str:
    """Return a run in superscript."""
    return r(text, '<w:vertAlign w:val="superscript"/>')


def lowered(text: str) -> str:
    """Return a run in subscript."""
    return r(text, '<w:vertAlign w:val="subscript"/>')


def bold(text: str, size: int = 28) -> str:
    """Return a paragraph in bold of ``size`` half-points."""
    return p(runs=r(text, f'<w:b/><w:sz w:val="{size}"/>'))


def tbl(*rows: str) -> str:
    """Return a table of ``rows``."""
    return f"<w:tbl><w:tblPr/>{''.join(rows)}</w:tbl>"


def tr(*cells: str, about: str = "") -> str:
    """Return a row; a cell that is no w:tc yet becomes one."""
    inside = "".join(cell if cell.startswith("<w:tc>") else tc(p(cell)) for cell in cells)
    return f"<w:tr><w:trPr>{about}</w:trPr>{inside}</w:tr>"


def tc(content: str, about: str = "") -> str:
    """Return a cell holding blocks."""
    return f"<w:tc><w:tcPr>{about}</w:tcPr>{content}</w:tc>"


def item(text: str, number: int = 1, level: int = 0, style: str = "") -> str:
    """Return a paragraph of list ``number``."""
    about = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return p(text, style, about=about)


def numbering(*levels: tuple[str, str], extra: str = "") -> str:
    """Return list 1 with (format, text) a level; ``extra`` are more w:num elements."""
    inside = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for n, (form, text) in enumerate(levels)
    )
    return (
        f'<w:abstractNum w:abstractNumId="0">{inside}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>{extra}'
    )


def textbox(content: str) -> str:
    """Return the branch content of a modern text box."""
    return (
        "<w:drawing><wp:anchor><wp:docPr id='1' name='Box'/><a:graphic><a:graphicData><wps:wsp>"
        f"<wps:txbx><w:txbxContent>{content}</w:txbxContent></wps:txbx>"
        "</wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>"
    )


def picture(alt: str = "", stem: str = "image1", about: str = "") -> str:
    """Return a drawing of the picture whose relationship is ``stem``."""
    return (
        "<w:drawing><wp:inline><wp:extent cx='2000000' cy='2000000'/>"
        f"<wp:docPr id='1' name='Picture 1' descr='{alt}'>{about}</wp:docPr><a:graphic>"
        f"<a:graphicData><pic:pic><pic:blipFill><a:blip r:embed='{stem}'/></pic:blipFill></pic:pic>"
        "</a:graphicData></a:graphic></wp:inline></w:drawing>"
    )


def field(instruction: str, result: str) -> str:
    """Return the runs of a complex field."""
    return (
        r(inside='<w:fldChar w:fldCharType="begin"/>')
        + r(inside=f"<w:instrText>{instruction}</w:instrText>")
        + r(inside='<w:fldChar w:fldCharType="separate"/>')
        + r(result)
        + r(inside='<w:fldChar w:fldCharType="end"/>')
    )


def _relations(entries: list[tuple[str, str, str]]) -> str:
    inside = "".join(
        f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for name, kind, target in entries
    )
    return f'{_HEAD}<Relationships xmlns="{_RELATIONS}">{inside}</Relationships>'


def _root(name: str, inside: str) -> str:
    return f"{_HEAD}<w:{name} {_NAMES}>{inside}</w:{name}>"
