"""The Python codec for the label by which a page names its encoding (WHATWG Encoding, 4.2)."""

from __future__ import annotations

import codecs
import re

# Labels that Python does not know, beside those that a pattern tells.
_LABELS = {
    name: codec
    for codec, names in {
        "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
        "cp866": "dos-866",
        "iso8859-6": "csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i",
        "iso8859-7": "sun_eu_greek",
        "iso8859-8": "csiso88598e csiso88598i iso-8859-8-e iso-8859-8-i logical visual",
        "iso8859-15": "csisolatin9",
        "koi8-r": "koi koi8",
        "koi8-u": "koi8-ru",
        "mac-roman": "csmacintosh mac x-mac-roman",
        "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
        "cp874": "dos-874 windows-874",
        "cp1252": "x-user-defined",
        "gb18030": "csgb2312 gb_2312 gb_2312-80 x-gbk",
        "big5": "cn-big5 x-x-big5",
        "euc_jp": "cseucpkdfmtjapanese x-euc-jp",
        "cp932": "windows-31j x-sjis",
        "cp949": "cseuckr csksc56011987 iso-ir-149 ks_c_5601-1989 ksc_5601 windows-949",
    }.items()
    for name in names.split()
}
_ISO = re.compile(r"iso8859-?(\d{1,2})\Z")
_WINDOWS = re.compile(r"x-(cp125\d)\Z")
# Those that browsers read as a larger encoding.
_LARGER = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
}


def codec_of(label: str) -> str:
    """Return the name of the Python codec for the text that ``label`` means, '' for none."""
    label = label.lower()
    name = _LABELS.get(label, label)
    name = _WINDOWS.sub(r"\1", _ISO.sub(r"iso8859-\1", name))
    try:
        name = codecs.lookup(name).name
        "".encode(name)  # "base64" and its like are codecs, but none of text
    except (LookupError, TypeError, ValueError):
        return ""
    return _LARGER.get(name, name)
