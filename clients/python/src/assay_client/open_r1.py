"""Open R1's code reward: `code_reward(completions, verification_info=[…])`, as its registry calls it. None is a fault."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence

from .adapting import Completion
from .client import Reward
from .trl import reward_function


def code_reward(
    completions: Sequence[Completion],
    *,
    verification_info: Sequence[Any],
    scoring: str = "fraction",
    url: Optional[str] = None,
    **_others: Any,
) -> List[Reward]:
    """The share of tests that pass, as Open R1 counts it; `scoring="all"` for all or nothing."""
    score = reward_function(url, dataset="verifiable", scoring=scoring)
    return score([""] * len(completions), completions, verification_info=list(verification_info))


def binary_code_reward(
    completions: Sequence[Completion], *, verification_info: Sequence[Any], **others: Any
) -> List[Reward]:
    """1.0 where all tests pass, else 0.0."""
    return code_reward(
        completions, verification_info=verification_info, **{**others, "scoring": "all"}
    )
