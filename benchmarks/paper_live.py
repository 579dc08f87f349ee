"""The paper's other methods, run here: tables next to the published and corrected figures."""

from __future__ import annotations

import argparse
import itertools
from typing import Any

import pandas as pd
from scipy import stats

from benchmarks import corrections, published
from benchmarks.measures import MEASURES
from benchmarks.methods import GROUPS
from benchmarks.paper_report import GUIDED, OURS, has_guided, summary
from benchmarks.ranking import can_be_ranked, rank
from benchmarks.report import Report
from benchmarks.runner import Result, Task, complete_runs, grid, stored_results

# Names in the paper, and names in `benchmarks.methods`.
_WEKA = {"J48": "J48", "SVM": "SMO", "NB": "NB", "k-NN": "IBk"}
LIVE = {"HMC-GA": "HMC-GA", corrections.CLUS: "Clus"} | {
    name: f"Weka {_WEKA[base]}-{kind}"
    for name in published.F1.columns[3:]
    for base, _, kind in [name.rpartition("-")]
}

_TITLES = {
    "published": "published",
    "published-same": "published",
    "corrected": "corrected",
    "live-micro": "live, micro-averaged",
    "live-micro-some": "live, micro-averaged",
    "live-example": "live, example-averaged",
    "live-example-some": "live, example-averaged",
}


def live_results(args: argparse.Namespace) -> dict[Task, Result]:
    """The stored results of the paper's other methods.

    Parameters
    ----------
    args
        The options of `benchmarks.paper`.
    """
    results: dict[Task, Result] = {}
    for group in GROUPS:
        names = [name for name in LIVE.values() if name in group.methods]
        if names:
            tasks = grid(names, args)
            results |= stored_results(tasks, group.experiment, args, group.sources)
    return complete_runs(results, args.folds)


def live_table(results: dict[Task, Result], measure: str, args: argparse.Namespace) -> pd.DataFrame:
    """Means over folds and runs, missing where there are none.

    Parameters
    ----------
    results
        The results of `live_results`.
    measure
        One of `MEASURES`, another key of the results, or ``runs``: how many there are.
    args
        The options of `benchmarks.paper`.
    """
    values: dict[tuple[str, str], list[Any]] = {}
    for task, result in results.items():
        own: Any = {**result, **result["plain"], "runs": 1}
        values.setdefault((task.dataset, task.method), []).append(own[measure])
    table = pd.DataFrame(index=args.datasets.split(","), columns=list(LIVE), dtype=float)
    for dataset, (name, method) in itertools.product(table.index, LIVE.items()):
        found = values.get((dataset, method), [None])
        if None not in found:
            n = args.folds if measure == "runs" else len(found)
            table.loc[dataset, name] = sum(found) / n
    return table


def report_live(
    report: Report,
    results: dict[Task, Result],
    live: dict[Task, Result],
    args: argparse.Namespace,
) -> None:
    """Add the corrected and live tables, tests and diagrams to a report.

    Parameters
    ----------
    report
        The report to extend.
    results
        The results of both searches.
    live
        The results of `live_results`.
    args
        The options of the command.
    """
    searches = {f"MINOTAUR, {OURS}": summary(results, "paper")}
    if has_guided(results):
        searches[f"MINOTAUR, {GUIDED}"] = summary(results, "guided")
    report.table("measures", "All measures of both searches", measures_table(searches))
    columns = (*MEASURES, "size", "cpu_seconds", "runs")
    tables = {name: live_table(live, name, args) for name in columns}
    report.table("live-clus", "Clus: published, corrected and live", clus_table(tables))
    report.table("live-hmc-ga", "HMC-GA: published and live", hmc_ga_table(tables))
    for measure in ("micro_f1", "example_f1"):
        kind = measure.removesuffix("_f1")
        shown = _with(searches, measure).join(tables[measure]).dropna(axis=1, how="all")
        report.table(f"live-{kind}", f"Live F1, {kind}-averaged", shown.round(3))
    seconds = tables["cpu_seconds"].dropna(axis=1, how="all")
    report.table("live-cpu", "Live CPU seconds of a fit", seconds.round(2))
    if len(tables["micro_f1"]) > 1:
        report.table("live-wilcoxon", "Wilcoxon tests, p-values", wilcoxon_table(searches, tables))
        _report_ranks(report, searches, tables)


def measures_table(searches: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """All measures of each search and dataset."""
    rows = {
        f"{dataset}, {name.removeprefix('MINOTAUR, ')}": table.loc[dataset, [*MEASURES, "n_rules"]]
        for dataset in next(iter(searches.values())).index
        for name, table in searches.items()
        if dataset in table.index
    }
    return pd.DataFrame.from_dict(rows, orient="index").round(3)


def clus_table(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Rules and F1 of Clus, printed and live."""
    name = corrections.CLUS
    names = tables["size"].index
    return pd.DataFrame(
        {
            "rules, printed": published.N_RULES.loc[names, name],
            "rules, corrected": corrections.n_rules().loc[names, name],
            "rules, live": tables["size"][name].round(1),
            "F1, printed": published.F1.loc[names, name],
            "F1, live, example": tables["example_f1"][name].round(3),
            "F1, live, micro": tables["micro_f1"][name].round(3),
        }
    )


def hmc_ga_table(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Rules and F1 of HMC-GA, printed and live."""
    names = tables["size"].index
    printed = published.N_RULES.loc[names, "HMC-GA"]
    size = tables["size"]["HMC-GA"]
    return pd.DataFrame(
        {
            "rules, printed": printed,
            "rules, live": size.round(1),
            "rules, difference": [_percent(share) for share in size / printed - 1],
            "F1, printed": published.F1.loc[names, "HMC-GA"],
            "F1, live, example": tables["example_f1"]["HMC-GA"].round(3),
            "F1, live, micro": tables["micro_f1"]["HMC-GA"].round(3),
            "runs": tables["runs"]["HMC-GA"].astype("Int64"),
        }
    )


def wilcoxon_table(
    searches: dict[str, pd.DataFrame], tables: dict[str, pd.DataFrame]
) -> pd.DataFrame:
    """The paper's pairwise tests on numbers of rules: published, corrected and live."""
    ours = searches[f"MINOTAUR, {OURS}"]["n_rules"]
    names = ours.index
    live = tables["size"][["HMC-GA", corrections.CLUS]].assign(**{published.MINOTAUR: ours})
    versions = {
        "published": published.N_RULES.loc[names],
        "corrected": corrections.n_rules().loc[names],
        "live": live.dropna(),
    }
    rows = {}
    for first, second in itertools.combinations(published.N_RULES.columns, 2):
        row = {"in the paper": f"{published.WILCOXON[first, second]:.4f}"}
        for version, table in versions.items():
            if len(table) > 1:
                p = stats.wilcoxon(table[first], table[second]).pvalue
                row[f"{version}, {len(table)} datasets"] = f"{p:.4f}"
        rows[f"{first} and {second}"] = row
    return pd.DataFrame.from_dict(rows, orient="index")


def _report_ranks(
    report: Report, searches: dict[str, pd.DataFrame], tables: dict[str, pd.DataFrame]
) -> None:
    """Rank all methods by published, corrected and live F1, on the datasets that have all.

    Where some methods were not run on all datasets, the published figures are ranked on the
    corrected datasets too, and those methods that were run on as many as possible on these.
    """
    micro = tables["micro_f1"]
    printed, corrected = published.F1.loc[micro.index], corrections.f1(micro).dropna()
    versions = {"published": printed, "corrected": corrected}
    if 1 < len(corrected) < len(printed):
        versions["published-same"] = printed.loc[corrected.index]
    for kind in ("micro", "example"):
        scores = _with(searches, f"{kind}_f1").join(tables[f"{kind}_f1"]).round(2)
        versions[f"live-{kind}"] = scores.dropna()
        if scores.isna().any(axis=None):
            versions[f"live-{kind}-some"] = most_complete(scores)
    ranks = {}
    for name, scores in versions.items():
        if can_be_ranked(scores):
            ranking = rank(scores)
            title = f"{_TITLES[name]}, {len(scores)} datasets"
            ranks[title] = ranking.mean_ranks.rename({f"MINOTAUR, {OURS}": published.MINOTAUR})
            report.ranking(f"ranking-{name}", f"F1, {title}", ranking)
    if ranks:
        table = pd.DataFrame(ranks)
        table = table.sort_values(table.columns[-1], kind="stable")
        report.table("live-ranks", "Mean ranks: published, corrected, live", table.round(2))


def most_complete(scores: pd.DataFrame) -> pd.DataFrame:
    """The part of a table with the most scores that has none missing.

    Parameters
    ----------
    scores
        One row per dataset and one column per method.

    Examples
    --------
    >>> most_complete(pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, None], "c": [1, None, None]})).shape
    (2, 2)
    """
    counts = scores.notna().sum()
    parts = [scores.loc[:, counts >= least].dropna() for least in sorted(set(counts))]
    largest: pd.DataFrame = max(parts, key=lambda part: part.size)
    return largest


def _with(searches: dict[str, pd.DataFrame], measure: str) -> pd.DataFrame:
    return pd.DataFrame({name: table[measure] for name, table in searches.items()})


def _percent(share: float) -> str | None:
    return None if pd.isna(share) else f"{share:+.0%}"
