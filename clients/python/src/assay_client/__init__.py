"""Client of Assay. `Client(url)` asks; `assay_client.verl`, `.trl`, `.openrlhf` and `.open_r1` are for trainers."""

from .client import BatchResult, Client, Item, Reward, Rewards
from .errors import AssayError, AssayFault, AssayRefused, AssayUnavailable

__all__ = [
    "AssayError",
    "AssayFault",
    "AssayRefused",
    "AssayUnavailable",
    "BatchResult",
    "Client",
    "Item",
    "Reward",
    "Rewards",
]
