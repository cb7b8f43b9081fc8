"""Runs calls of an independent Piston client, read from standard input, and prints what it makes of the answers.

Usage: python3 -I driver.py FOLDER_OF_PACKAGES < {"url", "calls": [{"call", ...}]} > results.json
"""

from __future__ import annotations

import json
import sys
from typing import Any


def perform(client: Any, file_type: Any, call: dict[str, Any]) -> Any:
    """The client's own objects as plain data, or the name of what it raised."""
    name = call.pop("call")
    try:
        if name == "runtimes":
            return [runtime.model_dump() for runtime in client.get_runtimes()]
        if name == "packages":
            return [package.model_dump() for package in client.get_packages()]
        if name == "install":
            return client.post_packages(**call)
        if name == "uninstall":
            return client.delete_packages(**call)
        return client.post_execute(file=file_type(**call.pop("file")), **call).model_dump()
    except Exception as error:
        return type(error).__name__


def main() -> None:
    sys.path.insert(0, sys.argv[1])
    from ultra_piston import File, PistonClient  # type: ignore[import-not-found]

    request = json.load(sys.stdin)
    client = PistonClient(base_url=request["url"], rate_limit=0)
    json.dump([perform(client, File, call) for call in request["calls"]], sys.stdout)


if __name__ == "__main__":
    main()
