"""The encoding that a page declares, by any of the labels that browsers know."""

from __future__ import annotations

import pytest

from tests.ingest.trees import read

DECLARED = {
    "x-sjis": ("cp932", "料金は五百円です"),
    "Windows-31J": ("cp932", "料金は①五百円です"),
    "x-euc-jp": ("euc_jp", "料金は五百円です"),
    "iso-8859-8-i": ("iso8859-8", "שלום עולם"),
    "logical": ("iso8859-8", "שלום עולם"),
    "windows-874": ("cp874", "ราคา € ห้าร้อย"),
    "dos-866": ("cp866", "Привет, мир"),
    "koi": ("koi8-r", "Привет, мир"),
    "x-mac-cyrillic": ("mac-cyrillic", "Привет, мир"),
    "x-cp1251": ("cp1251", "Привет, мир"),
    "iso88592": ("iso8859-2", "Zażółć gęślą"),
    "ks_c_5601-1989": ("cp949", "가격은 똠방각하"),
    "x-gbk": ("gb18030", "价格是五百元"),
    "cn-big5": ("big5", "價格是五百元"),
    "mac": ("mac-roman", "Ärger über 5 €"),
}


@pytest.mark.parametrize("label", DECLARED)
def test_a_page_is_read_in_the_encoding_that_it_declares(label: str) -> None:
    codec, words = DECLARED[label]
    page = f"<meta charset='{label}'><p>{words}</p>"
    assert read(page.encode(codec), "a.html").text == words
    page = f"<?xml version='1.0' encoding='{label}'?><html><p>{words}</p></html>"
    assert read(page.encode(codec), "a.html").text == words
