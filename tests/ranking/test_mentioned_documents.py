"""Documents that a passage calls by name."""

import pytest

from retrieval.ranking import mentioned_documents

NAMES = [
    (1, "Travel Policy 2024"),
    (2, "Mike Perry (DJ)"),
    (3, "Policy"),
    (4, "差旅管理办法"),
    (5, "HR-112"),
    (6, "Положение о командировках"),
    (7, "C++ Style"),
]


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ("Flights are booked as the Travel Policy 2024 says.", {1}),
        ("as the travel\n  policy 2024 says", {1}),
        ("The Travel Policy 20245 is another.", set()),
        ("A song by Mike Perry, a DJ.", {2}),
        ("Every policy has an owner.", set()),
        ("详见差旅管理办法第三条。", {4}),
        ("See HR-112, page 3.", {5}),
        ("Суточные определяет Положение о командировках.", {6}),
        ("Names follow C++ Style.", {7}),
        ("Travel is a policy of 2024.", set()),
        ("", set()),
    ],
)
def test_a_whole_name_in_a_text_is_a_mention(text: str, documents: set[int]) -> None:
    assert mentioned_documents(text, NAMES) == documents


def test_a_name_that_many_documents_share_tells_none_of_them() -> None:
    three = [(number, "Annual Report") for number in range(3)]
    assert mentioned_documents("See the annual report.", three) == {0, 1, 2}
    assert mentioned_documents("See the annual report.", [*three, (3, "Annual Report")]) == set()
