"""The client: rewards for rows, judgements, runs. Owns batches and their order; leaves HTTP to `transport`."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from .errors import AssayError, AssayUnavailable
from .progress import Progress
from .transport import Transport

Reward = Optional[float]
"""None is no reward: a fault of the service, or a row that is no problem. Never the model's failure."""
_Answer = TypeVar("_Answer")
Rewards = List[Union[Reward, List[Reward]]]


@dataclass(frozen=True)
class Item:
    """A row of a data set with what models answered to it: one completion, or a list of them."""

    row: Mapping[str, Any]
    completions: Union[str, Sequence[str]]
    id: Optional[str] = None

    @property
    def count(self) -> int:
        return 1 if isinstance(self.completions, str) else len(self.completions)

    def to_wire(self) -> Dict[str, Any]:
        wire: Dict[str, Any] = {"row": dict(self.row)}
        if isinstance(self.completions, str):
            wire["completion"] = self.completions
        else:
            wire["completions"] = list(self.completions)
        if self.id is not None:
            wire["id"] = self.id
        return wire


@dataclass
class BatchResult:
    """Rewards and the service's results in the places of the items."""

    rewards: Rewards
    results: List[Any]
    errors: List[AssayError] = field(default_factory=list)
    """Why whole parts of a batch have no rewards: the service could not be reached, or refused them."""


# The service takes more; a part that is cut off costs no more than this.
_ITEMS_AT_ONCE = 500
_BYTES_AT_ONCE = 32 * 1024 * 1024


class Client:
    """Asks one Assay service. Threads may share it; it holds no connection."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        timeout_s: float = 600.0,
        retries: int = 8,
        retry_total_s: float = 300.0,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        """`timeout_s` is of silence, not of all; `retries` and `retry_total_s` bound what is tried again."""
        self._transport = Transport(
            url,
            timeout_s=timeout_s,
            retries=retries,
            retry_total_s=retry_total_s,
            headers=headers,
        )

    def run(self, language: str, code: str, **fields: Any) -> Dict[str, Any]:
        """`POST /v1/run`: one run, without judging. `fields` as in the service's documents."""
        return self._object("/v1/run", {"language": language, "code": code, **fields})

    def judge(self, language: str, *, tests: Mapping[str, Any], **fields: Any) -> Dict[str, Any]:
        """`POST /v1/judge`: the report. Give `code`, `completion`, or `files` with `entry`."""
        return self._object("/v1/judge", {"language": language, "tests": dict(tests), **fields})

    def reward(
        self, row: Mapping[str, Any], completion: str, *, dataset: str = "auto", **options: Any
    ) -> Reward:
        """The reward of one completion; None for a fault or a row that is no problem."""
        result = self.rewards([Item(row, completion)], dataset=dataset, **options)
        [only] = result.rewards
        if result.errors:
            raise result.errors[0]
        return _single(only)

    def rewards(
        self,
        items: Sequence[Item],
        *,
        dataset: str = "auto",
        progress: Optional[bool] = False,
        **options: Any,
    ) -> BatchResult:
        """
        Rewards for many, in order, with None for what could not be judged; `errors` says why parts of it could not.
        `progress` None shows a bar where standard error is a terminal. `options`: `language`, `scoring`, `limits` …
        """
        answer = BatchResult(
            [None if isinstance(each.completions, str) else [None] * each.count for each in items],
            [None if isinstance(each.completions, str) else [None] * each.count for each in items],
        )
        bar = Progress(sum(each.count for each in items), shown=progress)
        try:
            for start, wires in _parts(items):
                body = {"dataset": dataset, "items": wires, **options}
                try:
                    self._fill(answer, start, body, bar)
                except AssayError as error:
                    answer.errors.append(error)
        finally:
            bar.end()
        return answer

    async def run_async(self, language: str, code: str, **fields: Any) -> Dict[str, Any]:
        return await _in_thread(lambda: self.run(language, code, **fields))

    async def judge_async(
        self, language: str, *, tests: Mapping[str, Any], **fields: Any
    ) -> Dict[str, Any]:
        return await _in_thread(lambda: self.judge(language, tests=tests, **fields))

    async def reward_async(
        self, row: Mapping[str, Any], completion: str, *, dataset: str = "auto", **options: Any
    ) -> Reward:
        return await _in_thread(lambda: self.reward(row, completion, dataset=dataset, **options))

    async def rewards_async(
        self,
        items: Sequence[Item],
        *,
        dataset: str = "auto",
        progress: Optional[bool] = False,
        **options: Any,
    ) -> BatchResult:
        return await _in_thread(
            lambda: self.rewards(items, dataset=dataset, progress=progress, **options)
        )

    def _object(self, path: str, body: Mapping[str, Any]) -> Dict[str, Any]:
        answer = self._transport.json(path, body)
        if not isinstance(answer, dict):
            raise AssayUnavailable(f"{path} answered with no object")
        return answer

    def _fill(self, answer: BatchResult, start: int, body: Any, bar: Progress) -> None:
        is_whole = False
        for line in self._transport.lines("/v1/reward", body):
            if "summary" in line:
                is_whole = True
                continue
            at, completion, reward = start + line["item"], line["completion"], line["reward"]
            if completion is None:
                answer.rewards[at], answer.results[at] = reward, line["result"]
            else:
                rewards = answer.rewards[at]
                assert isinstance(rewards, list)
                rewards[completion] = reward
                answer.results[at][completion] = line["result"]
            bar.step(reward)
        if not is_whole:
            raise AssayUnavailable("the answer was cut off before its summary")


def _single(reward: Union[Reward, List[Reward]]) -> Reward:
    if isinstance(reward, list):
        raise AssayError("a list of rewards for one completion")
    return reward


def _parts(items: Sequence[Item]) -> Iterator[Tuple[int, List[Dict[str, Any]]]]:
    """Consecutive items, each part of a bounded size, with the index of its first."""
    part: List[Dict[str, Any]] = []
    start, size = 0, 0
    for index, item in enumerate(items):
        wire = item.to_wire()
        length = len(json.dumps(wire))
        if part and (len(part) >= _ITEMS_AT_ONCE or size + length > _BYTES_AT_ONCE):
            yield start, part
            part, start, size = [], index, 0
        part.append(wire)
        size += length
    if part:
        yield start, part


async def _in_thread(call: Callable[[], _Answer]) -> _Answer:
    return await asyncio.get_running_loop().run_in_executor(None, call)
