"""
OpenRLHF's reward function in a file: `--reward.remote_url …/assay_client/openrlhf.py`. Labels are rows of the data set
as JSON (or objects); the answer is what of a query lies behind its prompt.
"""

from __future__ import annotations

import importlib
import json
import os
from typing import Any, Dict, List, Mapping, Sequence

from assay_client.adapting import client_of, number_or_raise
from assay_client.client import Item


def reward_func(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], **_others: Any
) -> Dict[str, Any]:
    """`rewards`, `scores` and `extra_logs`, tensors where torch is there. A fault raises, unless ASSAY_ON_FAULT is a number."""
    if not len(queries) == len(prompts) == len(labels):
        raise ValueError("queries, prompts and labels differ in length")
    items = [
        Item(_row(label), _answer(query, prompt))
        for query, prompt, label in zip(queries, prompts, labels)
    ]
    options: Dict[str, Any] = {
        "dataset": os.environ.get("ASSAY_DATASET", "auto"),
        **({"language": os.environ["ASSAY_LANGUAGE"]} if "ASSAY_LANGUAGE" in os.environ else {}),
    }
    on_fault = float(os.environ["ASSAY_ON_FAULT"]) if "ASSAY_ON_FAULT" in os.environ else None
    answer = client_of(None).rewards(items, **options)
    if answer.errors and on_fault is None:
        raise answer.errors[0]
    faults = [float(each is None) for each in answer.rewards]
    rewards = [
        number_or_raise(reward if not isinstance(reward, list) else None, result, on_fault)
        for reward, result in zip(answer.rewards, answer.results)
    ]
    return {
        "rewards": _tensor(rewards),
        "scores": _tensor([min(max(each, 0.0), 1.0) for each in rewards]),
        "extra_logs": {"assay_faults": _tensor(faults)},
    }


def _row(label: Any) -> Mapping[str, Any]:
    row = json.loads(label) if isinstance(label, str) else label
    if not isinstance(row, Mapping):
        raise ValueError("a label is a row of the data set, as a JSON object")
    return row


def _answer(query: str, prompt: str) -> str:
    return query[len(prompt) :] if query.startswith(prompt) else query


def _tensor(numbers: List[float]) -> Any:
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return numbers
    return torch.tensor(numbers, dtype=torch.float32)
