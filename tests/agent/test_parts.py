"""A question that asks two things is taken apart; one that only looks like it is not."""

import pytest

from retrieval.agent.parts import parts_of


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "How long are backups kept and what is the CEO's salary?",
            ("How long are backups kept", "what is the CEO's salary?"),
        ),
        (
            "How often must passwords be changed, and who is the CISO?",
            ("How often must passwords be changed", "who is the CISO?"),
        ),
        (
            "Who sells the drill parts? How much does the drill cost?",
            ("Who sells the drill parts?", "How much does the drill cost?"),
        ),
        (
            "Wie lange gilt die Garantie und wer bezahlt den Versand?",
            ("Wie lange gilt die Garantie", "wer bezahlt den Versand?"),
        ),
        (
            "Сколько дней длится отпуск и кто директор завода?",
            ("Сколько дней длится отпуск", "кто директор завода?"),
        ),
        ("年假有多少天，谁批准加班？", ("年假有多少天", "谁批准加班？")),
    ],
)
def test_two_questions_in_one_are_two(question, parts):
    assert parts_of(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "How many days of leave are there in Utrecht and in Suzhou?",
        "Whom do I call, and how fast?",
        "Which trainings must a newcomer have finished, and by when?",
        "The display of my SL-420 says E11. What should I do?",
        "Who knows how and when the pump was built?",
        "Which server crashed and was restarted on Tuesday?",
        "Was kostet die Prüfung und Wiederholung der Prüfung?",
        "What does https://example.com/search?query=probation+period return",
        'What does the section "Who pays?" say about travel costs?',
        "How long is the probation period? Please quote the employee handbook exactly.",
        "How long is the probation period? I started there in March.",
        "How long is the notice period of the contract and when does it end?",
        "?",
        "",
    ],
)
def test_one_question_stays_one(question):
    assert parts_of(question) == (question,)


def test_there_are_at_most_three_parts():
    question = " ".join(f"Who leads the team number {number}?" for number in range(9))
    assert len(parts_of(question)) == 3


@pytest.mark.parametrize("piece", ["a?", "? ", "and who ", "Who leads A? ", "，谁"])
def test_a_question_of_nothing_but_seams_takes_no_time(piece):
    """Ten seconds of a processor before; run under the suite's own limit."""
    for length in (590, 4_000):
        assert len(parts_of((piece * length)[:length])) <= 3
