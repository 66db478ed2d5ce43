"""Presets: named, frozen sets of the pipeline's switches.

`viking` follows VikingRAG (arXiv 2609.11390), `kohaku` KohakuRAG (arXiv 2603.07612) and `deepread`
DeepRead (arXiv 2602.05014); what each does, costs and is for: docs/presets.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Planning = Literal["never", "parts", "weak", "always"]
Rerank = Literal["none", "frequency", "score", "combined", "interleaved"]
AgentTools = Literal["viking", "deepread"]
Entry = Literal["direct", "via_seed"]


@dataclass(frozen=True, slots=True)
class Switches:
    """How one question is worked on; tokens are those of what the model is given to read.

    ``hits`` is the k of the first search and ``token_cap`` the most that is assembled;
    ``mentioned`` documents that the best hits call by name are read with them.
    ``one_round`` tries an answer from one round of retrieval before any agent. ``planning`` splits
    the question into at most ``queries`` searches: always, or only when it is compound or its first
    hits are weak, or (``parts``) by rule where it asks two things. ``retries`` counts further
    attempts with k x (attempt + 1); ``aimed_caps`` are the tokens of attempts for what is missing.
    ``agent`` names the tools of the loop that an insufficient answer escalates to, at most
    ``rounds`` long; it gives up ``patience`` rounds after the last that brought new evidence.
    ``votes`` is how often the answer is drawn, where ``vote_on_risk`` only if its value rests on
    quotes that disagree. ``contents_in_prompt`` lists the sections of the documents to the agent.
    ``compact_after`` is how many rounds a tool's result stays whole in the agent's prompt (0:
    always). ``edges`` uses experience: places that answered a similar question are read first,
    `direct` from that question, or `via_seed` only where the first search gave one of the edges'
    sources, at most ``edge_hops`` steps on;
    ``edge_tokens`` of text. ``needs_history`` leaves the one round out until the base has learnt
    enough questions to rely on.
    """

    name: str
    hits: int = 10
    mentioned: int = 0
    token_cap: int = 6_000
    one_round: bool = True
    planning: Planning = "never"
    queries: int = 3
    rerank: Rerank = "none"
    retries: int = 0
    aimed_caps: tuple[int, ...] = ()
    agent: AgentTools | None = None
    rounds: int = 10
    patience: int = 2
    compact_after: int = 0
    votes: int = 1
    vote_on_risk: bool = False
    contents_in_prompt: bool = False
    edges: Entry | None = None
    edge_hops: int = 2
    edge_tokens: int = 1_500
    needs_history: bool = False

    @property
    def needs_model(self) -> bool:
        """Whether it plans, votes or explores, which rules cannot."""
        return self.agent is not None or self.planning in ("weak", "always") or self.votes > 1


PRESETS: dict[str, Switches] = {
    one.name: one
    for one in (
        Switches("naive", hits=16, planning="parts"),
        Switches("viking", one_round=False, agent="viking"),
        Switches("viking-e", one_round=False, agent="viking", edges="direct"),
        Switches(
            "viking-e-plus",
            token_cap=1_500,
            agent="viking",
            edges="direct",
            needs_history=True,
        ),
        Switches("kohaku", hits=16, planning="always", rerank="combined", retries=3, votes=5),
        Switches(
            "deepread",
            one_round=False,
            agent="deepread",
            rounds=12,
            patience=4,
            contents_in_prompt=True,
        ),
        Switches(
            "adaptive",
            hits=16,
            mentioned=2,
            token_cap=550,
            planning="weak",
            rerank="combined",
            aimed_caps=(2_400, 6_000),
            agent="viking",
            compact_after=1,
            votes=3,
            vote_on_risk=True,
            edges="direct",
        ),
    )
}
DEFAULT_PRESET = "adaptive"
WITHOUT_MODEL = "naive"
"""Sentences are quoted from one round: rules neither plan nor explore."""

IN_WORDS: dict[str, str] = {
    "adaptive": "goes on only where something is missing",
    "naive": "one search, one answer",
    "viking": "explores with tools, slowly",
    "viking-e": "explores, first where similar questions were answered",
    "viking-e-plus": "one search with experience, and explores where something is missing",
    "kohaku": "several searches and a vote on the value",
    "deepread": "explores along the tables of contents",
}
"""What each does, for whoever chooses one."""
