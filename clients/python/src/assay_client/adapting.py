"""What the adapters share: the client they use, texts of completions, and rewards where only numbers are taken."""

from __future__ import annotations

import os
import threading
from typing import Any, Dict, Mapping, Optional, Sequence, Union

from .client import Client, Reward
from .errors import AssayFault

URL_VARIABLE = "ASSAY_URL"

_clients: Dict[str, Client] = {}
_lock = threading.Lock()

Completion = Union[str, Sequence[Mapping[str, Any]]]
"""A text, or a conversation whose last message is the model's."""


def client_of(url: Optional[str]) -> Client:
    """One client for each URL: the argument, else ASSAY_URL, else the service's default address."""
    address = url or os.environ.get(URL_VARIABLE) or "http://127.0.0.1:8080"
    with _lock:
        found = _clients.get(address)
        if found is None:
            found = _clients[address] = Client(address)
        return found


def text_of(completion: Completion) -> str:
    if isinstance(completion, str):
        return completion
    if len(completion) == 0:
        return ""
    content = completion[-1].get("content")
    if isinstance(content, str):
        return content
    # Parts of a message, of which only texts can hold a program.
    parts = content if isinstance(content, list) else []
    return "".join(
        str(part["text"]) for part in parts if isinstance(part, Mapping) and "text" in part
    )


def number_or_raise(reward: Reward, result: Any, on_fault: Optional[float]) -> float:
    """For trainers that take no None: `on_fault` where that was given, else AssayFault, so that no zero is invented."""
    if reward is not None:
        return float(reward)
    if on_fault is not None:
        return float(on_fault)
    raise AssayFault(f"no reward: {reason_of(result)}")


def reason_of(result: Any) -> str:
    if not isinstance(result, dict):
        return "the service did not answer"
    error = result.get("error") or result.get("fault") or {}
    return str(error.get("reason") or error.get("message") or "no reason given")
