"""manage.py experience calibrate --tenant T --kb B [--target 0.05] [--apply] [--json]"""

from argparse import ArgumentTypeError
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandParser

from accounts.models import Tenant
from accounts.operator import TenantCommand
from accounts.tenancy import tenant_transaction
from knowledge.ingest.plurals import counted
from knowledge.models import KnowledgeBase
from retrieval.evaluation.cuts import FEWEST, Calibration, Cut
from retrieval.services.experience.calibrating import (
    AuditRate,
    audit_rate,
    base_calibrate,
    base_cut_set,
)

HELP = "find the confidence below which answers go on to the agent, from the audits"


def add_arguments(parser: CommandParser) -> None:
    parser.add_argument(
        "--target",
        type=_share,
        default=0.05,
        metavar="RATE",
        help="most answers that should have gone on to the agent and did not, 0 to 1 (0.05)",
    )
    parser.add_argument("--apply", action="store_true", help="store the cut for the base")


def run(
    command: TenantCommand, tenant: Tenant, base: KnowledgeBase, options: dict[str, Any]
) -> None:
    with tenant_transaction(tenant):
        measured = audit_rate(base)
    found = base_calibrate(tenant=tenant, base=base, target=options["target"])
    applied = options["apply"] and found.chosen is not None
    if applied and found.chosen:
        base_cut_set(tenant=tenant, base=base, cut=found.chosen.at)
    if options["json"]:
        command.print_json(
            {"measured": asdict(measured), **asdict(found), "applied": bool(applied)}
        )
        return
    command.stdout.write(_measured(measured))
    if found.audits:
        command.stdout.write("   cut  without the agent  false    rate        95 %")
        for cut in found.table:
            command.stdout.write(_row(cut, is_chosen=cut == found.chosen))
    command.stdout.write(_conclusion(found, options["target"], options["apply"]))


def _measured(measured: AuditRate) -> str:
    rate = measured.rate
    sentence = (
        f"{counted(measured.compared, 'audit')}, of which {measured.false} should have gone on to "
        "the agent"
    )
    if measured.compared:
        sentence += f": {rate.mean:.1%} (95 % between {rate.low:.1%} and {rate.high:.1%})"
    rest = f"{measured.unclear} unclear, {measured.waiting} waiting, {measured.failed} failed"
    return f"{sentence}. Besides: {rest}."


def _row(cut: Cut, *, is_chosen: bool) -> str:
    rate = cut.rate
    interval = f"{rate.low:.1%}-{rate.high:.1%}"
    row = f"{cut.at:6.3f}  {cut.kept:6d} ({cut.share:6.1%})   {cut.false:5d}  {rate.mean:6.1%}"
    return f"{row}  {interval:>12}" + ("  <" if is_chosen else "")


def _conclusion(found: Calibration, target: float, apply: bool) -> str:
    if not found.is_enough:
        return f"Too few audits to calibrate: {FEWEST} are needed. Nothing was changed."
    if found.chosen is None:
        return f"No cut reaches {target:.1%}. Nothing was changed."
    if not found.chosen.at:
        return "The verdict alone reaches the target; no cut is needed." + _done(apply)
    share = 1 - found.chosen.share
    sentence = f"A cut at {found.chosen.at:.3f} reaches the target; {share:.1%} more would go on."
    return sentence + _done(apply)


def _done(apply: bool) -> str:
    return " It is stored." if apply else " Nothing was changed; --apply stores it."


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ArgumentTypeError(f"must be a number from 0 to 1, not {text!r}")
    return share
