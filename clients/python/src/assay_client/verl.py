"""
verl's `custom_reward_function`: `path` this file (or `pkg://assay_client.verl`), `name` `compute_score` for the naive
and prime reward managers, `compute_score_batch` for the batch one. `reward_kwargs` become the keyword arguments.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence

from assay_client.adapting import client_of, number_or_raise
from assay_client.client import Item


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Optional[Mapping[str, Any]] = None,
    **kwargs: Any,
) -> float:
    """The reward of one answer. verl takes nothing but numbers: without `on_fault`, a fault raises."""
    [only] = compute_score_batch(
        [data_source], [solution_str], [ground_truth], [extra_info or {}], **kwargs
    )
    return only


def compute_score_batch(
    data_sources: Sequence[str],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Sequence[Optional[Mapping[str, Any]]],
    *,
    assay_url: Optional[str] = None,
    on_fault: Optional[float] = None,
    dataset: str = "verl",
    language: Optional[str] = None,
    scoring: Optional[str] = None,
    limits: Optional[Mapping[str, int]] = None,
    **_others: Any,
) -> List[float]:
    """Rewards of many answers in one request. What verl adds of its own is ignored."""
    items = [
        Item(_row(source, truth, info), solution)
        for source, solution, truth, info in _together(
            data_sources, solution_strs, ground_truths, extra_infos
        )
    ]
    options: Dict[str, Any] = {"language": language, "scoring": scoring, "limits": limits}
    given = {name: value for name, value in options.items() if value is not None}
    answer = client_of(assay_url).rewards(items, dataset=dataset, **given)
    if answer.errors and on_fault is None:
        raise answer.errors[0]
    return [
        number_or_raise(reward if not isinstance(reward, list) else None, result, on_fault)
        for reward, result in zip(answer.rewards, answer.results)
    ]


def _together(*columns: Sequence[Any]) -> List[Any]:
    """`zip` would cut to the shortest."""
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise ValueError(f"columns of different lengths: {sorted(lengths)}")
    return list(zip(*columns))


def _row(source: str, truth: Any, info: Optional[Mapping[str, Any]]) -> Dict[str, Any]:
    plain = {key: value for key, value in (info or {}).items() if _is_plain(value)}
    return {
        "data_source": source,
        "reward_model": {"style": "rule", "ground_truth": _plain(truth)},
        "extra_info": plain,
    }


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str))


def _plain(value: Any) -> Any:
    """verl reads parquet files, whose lists come as arrays of numpy."""
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value
