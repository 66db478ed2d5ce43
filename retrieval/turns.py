"""A run as the conversation shows it: question, answer, sources, and how it was found."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery, prefetch_related_objects
from django.db.models.functions import Left
from django.urls import reverse
from django.utils.safestring import SafeString

from accounts.models import Tenant
from knowledge.ingest.tree import NodeKind
from knowledge.models import Node
from knowledge.reading.leaves import Markup
from retrieval.abstentions import Abstention, abstention_of
from retrieval.agent.events import Nearest
from retrieval.agent.extractive import ExtractiveReasoner
from retrieval.answers import answer_html
from retrieval.models import Citation, Conversation, Run, RunEvent
from retrieval.nearest import NearestLink, nearest_links
from retrieval.preset_choice import in_words
from retrieval.quotes import quote_html
from retrieval.services.streaming import step_text
from retrieval.verdict_offers import VerdictOffer, verdict_offers

TABLE_CHARACTERS = 2_000
"""As much of a cited table is read for the names of its columns."""

_STEPS = (
    "started",
    "rewritten",
    "remembered",
    "little_history",
    "planned",
    "searched",
    "assembled",
    "escalated",
    "tool",
    "voted",
    "finished",
    "abstained",
)


@dataclass(frozen=True, slots=True)
class Source:
    """A citation below the answer; `url` opens its passage."""

    number: int
    url: str
    title: str
    quote: SafeString
    page: int | None


@dataclass(frozen=True, slots=True)
class Turn:
    """A run with all that its fragment needs, so that rendering asks the database nothing.

    `abstention` and `nearest` are filled when the run abstained. `ask_url` takes a further
    question; '' for a run outside of a conversation. `verdicts` are what its reader may say of it.
    """

    run: Run
    answer: SafeString
    sources: tuple[Source, ...]
    steps: tuple[str, ...]
    preset: str
    is_extractive: bool
    stream_url: str
    stop_url: str
    ask_url: str
    feedback_url: str
    verdicts: tuple[VerdictOffer, ...]
    abstention: Abstention | None = None
    nearest: tuple[NearestLink, ...] = ()


def turns_of(conversation: Conversation, tenant: Tenant) -> list[Turn]:
    """Return the turns of a conversation, oldest first.

    Six queries, four without abstentions, one of a question that nobody has begun to answer.
    """
    runs = _with_parts(Run.objects.filter(conversation=conversation))
    nearest = nearest_links(conversation.base, tenant, _all_nearest(runs))
    return [_turn(run, tenant, nearest) for run in runs]


def turn_of(run_id: int, tenant: Tenant) -> Turn:
    """Return one turn, in as many queries as `turns_of`. Raises Run.DoesNotExist."""
    runs = _with_parts(Run.objects.select_related("base").filter(pk=run_id))
    if not runs:
        raise Run.DoesNotExist
    run = runs[0]
    return _turn(run, tenant, nearest_links(run.base, tenant, _all_nearest([run])))


def unfinished_runs(conversation: Conversation) -> list[Run]:
    """Return the runs of a conversation that are still to be answered."""
    runs = Run.objects.filter(conversation=conversation, finished_at=None)
    return [run for run in runs if not run.is_over]


def citation_of(run: Run, number: int) -> Citation | None:
    """Return a citation of the run with its document and version, None if there is none."""
    rows = Citation.objects.filter(run=run, number=number)
    return rows.select_related("document", "version").first()


def citation_url(tenant: Tenant, run_id: int) -> Callable[[int], str]:
    """Return what gives the address of the run's n-th citation."""
    return lambda number: reverse("citation", args=[tenant.slug, run_id, number])


def _with_parts(rows: QuerySet[Run]) -> list[Run]:
    """Read runs with what there may be of each: events once it is begun, the rest at its end."""
    runs = list(rows)
    if begun := [run for run in runs if run.state != Run.State.QUEUED]:
        events = RunEvent.objects.filter(kind__in=_STEPS).order_by("number")
        prefetch_related_objects(begun, Prefetch("events", events))
    if over := [run for run in begun if run.is_over]:
        prefetch_related_objects(over, Prefetch("citations", _citations()), "feedback")
    return runs


def _citations() -> QuerySet[Citation]:
    leaf = Node.objects.filter(version=OuterRef("version"), path=OuterRef("path"))
    table = leaf.filter(kind=NodeKind.TABLE).annotate(start=Left("text", TABLE_CHARACTERS))
    return (
        Citation.objects.select_related("document", "version")
        .annotate(kind=Subquery(leaf.values("kind")[:1]), table=Subquery(table.values("start")[:1]))
        .order_by("number")
    )


def _events(run: Run) -> list[RunEvent]:
    return [] if run.state == Run.State.QUEUED else list(run.events.all())


def _all_nearest(runs: Iterable[Run]) -> list[Nearest]:
    return [passage for run in runs for passage in _nearest(_events(run))]


def _nearest(events: Iterable[RunEvent]) -> list[Nearest]:
    return [
        Nearest(**passage)
        for event in events
        if event.kind == "abstained"
        for passage in event.payload.get("nearest", ())
        if isinstance(passage, dict)  # earlier versions of Cairn stored headings alone
    ]


def _turn(run: Run, tenant: Tenant, nearest: Mapping[Nearest, NearestLink]) -> Turn:
    url = citation_url(tenant, run.pk)
    cited_rows = run.citations.all() if run.is_over else ()
    sources = tuple(_source(row, url(row.number)) for row in cited_rows)
    events = _events(run)
    cited = {source.number for source in sources}
    return Turn(
        run=run,
        answer=answer_html(run.answer, cited=cited, citation_url=url, is_over=run.is_over),
        sources=sources,
        steps=tuple(step_text(event) for event in events),
        preset=in_words(run.preset),
        is_extractive=run.reasoner == ExtractiveReasoner.name,
        stream_url=reverse("run_stream", args=[tenant.slug, run.pk]),
        stop_url=reverse("run_stop", args=[tenant.slug, run.pk]),
        ask_url=_ask_url(run, tenant),
        feedback_url=reverse("run_feedback", args=[tenant.slug, run.pk]),
        verdicts=verdict_offers(run, has_sources=bool(sources)) if run.is_over else (),
        abstention=abstention_of(run, events) if run.abstained else None,
        nearest=tuple(nearest[passage] for passage in _nearest(events)),
    )


def _source(row: Citation, url: str) -> Source:
    kind, table = row.kind or "", row.table or ""  # type: ignore[attr-defined]  # annotated
    quote = quote_html(row.quote, kind, Markup.of_parser(row.version.parser), table)
    return Source(row.number, url, row.document.title, quote, row.page)


def _ask_url(run: Run, tenant: Tenant) -> str:
    if run.conversation_id is None:
        return ""
    return reverse("conversation", args=[tenant.slug, run.conversation_id])
