"""Words that make a question and say nothing about its answer.

Documents are statements: `which` and `does` are rare in them, so BM25's idf would make them heavy.
Leaving them out of questions measured hit@10 .71 -> .82 on QASPER and no loss elsewhere
(docs/decisions/0002-retrieval-ranking.md). Documents keep all their words. The lists hold no word
that is a noun in another listed language (German `war`, Spanish `son`), since a base may hold
several.
"""

import re
from collections.abc import Iterable

_WORDS = {
    "ar": "ما ماذا من متى اين أين كيف لماذا كم هل أي اي هو هي",
    "cs": "co kdo kdy kde jak proč kolik který která které jaký jaká jaké je jsou",
    "da": "hvad hvem hvornår hvor hvordan hvorfor hvilken hvilket hvilke er",
    "de": "was wer wem wen wessen wann wo woher wohin wie warum wieso weshalb welche welcher "
    "welches welchen welchem ist sind wird werden wurde wurden",
    "en": "what which who whom whose when where why how do does did is are was were",
    "es": "qué cuál cuáles quién quiénes cuándo dónde cómo cuánto cuánta cuántos cuántas es está",
    "fi": "mikä mitä mitkä kuka ketkä milloin missä mistä mihin miten miksi kuinka onko ovat",
    "fr": "quel quelle quels quelles qui que quoi quand où comment pourquoi combien est-ce est",
    "it": "cosa chi quando dove come perché quanto quanta quanti quante quale quali è",
    "nl": "wat wie wanneer waar hoe waarom welke welk is zijn wordt worden werd",
    "no": "hva hvem når hvor hvordan hvorfor hvilken hvilket hvilke er",
    "pl": "co kto kiedy gdzie jak dlaczego ile który która które jaki jaka jakie czy jest są",
    "pt": "qual quais quem quando onde como porquê quanto quanta quantos quantas é são",
    "ru": "что кто кого кому когда где куда откуда как почему зачем сколько какой какая какое "
    "какие каких каким какую каком который которая которое которые чей ли был была было были",
    "sv": "vad vem när var hur varför vilken vilket vilka är",
    "tr": "ne kim nasıl neden niçin nerede hangi kaç mi mı mu mü",
    "uk": "що хто коли де куди звідки як чому скільки який яка яке які чи був була було були",
}
_QUESTION_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
# Chinese and Japanese have no spaces: the longest first, and what is left on both sides is apart.
_IN_A_RUN = re.compile(
    "为什么|為什麼|什么时候|什麼時候|什么|什麼|多少|哪一|哪个|哪個|哪些|哪里|哪裡|如何|怎么|怎麼|何时|何時"
    "|谁|誰|吗|嗎|どのように|どれくらい|どの|どこ|どう|なぜ|いつ|いくつ|いくら|何|ですか|ますか"
)
_CAPITALS = re.compile(r"\b[^\W\d_]{2,}\b")


def is_question_word(word: str, languages: Iterable[str]) -> bool:
    """Whether the case-folded word only asks, in one of the languages (ISO 639-1)."""
    return any(word in _QUESTION_WORDS.get(language, ()) for language in languages)


def without_question_words(run: str) -> list[str]:
    """The pieces of an unspaced run between its question words."""
    return [piece for piece in _IN_A_RUN.split(run) if piece]


def names_in_capitals(text: str) -> frozenset[str]:
    """Case-folded words that the text writes in capitals, like WHO; none if all of it is so."""
    if text.isupper():
        return frozenset()
    return frozenset(word.casefold() for word in _CAPITALS.findall(text) if word.isupper())
