"""TRL's reward functions: `GRPOTrainer(reward_funcs=reward_function(url, dataset="mbpp"), …)`. None is left out by TRL."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from .adapting import Completion, client_of, text_of
from .client import Item, Reward

RewardFunction = Callable[..., List[Reward]]

# What the trainer passes beside the columns of the data set.
_TRAINERS_OWN = frozenset(
    {"completion_ids", "prompt_ids", "trainer_state", "log_extra", "log_metric", "environments"}
)


def reward_function(
    url: Optional[str] = None,
    *,
    dataset: str = "auto",
    name: str = "assay_reward",
    progress: Optional[bool] = False,
    **options: Any,
) -> RewardFunction:
    """A function `(prompts, completions, **columns)` that gives a reward, or None, for each completion."""

    def reward(
        prompts: Sequence[Any], completions: Sequence[Completion], **columns: Any
    ) -> List[Reward]:
        rows = _rows(prompts, len(completions), columns)
        items = [Item(row, text_of(each)) for row, each in zip(rows, completions)]
        answer = client_of(url).rewards(items, dataset=dataset, progress=progress, **options)
        if items and len(answer.errors) > 0 and all(each is None for each in answer.rewards):
            raise answer.errors[0]
        return [each if not isinstance(each, list) else None for each in answer.rewards]

    # TRL logs by the function's name.
    reward.__name__ = name
    return reward


def _rows(
    prompts: Sequence[Any], count: int, columns: Mapping[str, Any]
) -> List[Dict[str, Any]]:
    lists = {
        key: column
        for key, column in columns.items()
        if key not in _TRAINERS_OWN and isinstance(column, (list, tuple))
    }
    lists.setdefault("prompt", list(prompts))
    wrong = sorted(key for key, column in lists.items() if len(column) != count)
    if wrong:
        raise ValueError(f"columns {wrong} have not one value for each of {count} completions")
    return [{key: column[index] for key, column in lists.items()} for index in range(count)]
