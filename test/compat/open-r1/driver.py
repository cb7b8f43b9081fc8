"""Asks as Open R1's clients do and makes rewards of the answers by their rules, with nothing else of theirs.

`e2b` and `morph` post a batch of scripts to a router; `codeforces` and `ioi` post a test each to Piston, with 30 s of
silence allowed and up to six attempts, and read its stages in their order.

Usage: python3 -I driver.py FOLDER_OF_PACKAGES < {"url", "kind", ...} > rewards.json
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

SILENCE_S = 30
ATTEMPTS = 6


class Refused(Exception):
    """An answer that is no result."""


def number(text: Any) -> float | None:
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def main_text(execution: dict[str, Any] | None) -> str | None:
    """All four keys are indexed where there is an execution; the reward is the text of the first main result."""
    if execution is None:
        return None
    results, logs, error = execution["results"], execution["logs"], execution["error"]
    execution["execution_count"], logs["stdout"], logs["stderr"]
    if error:
        error["name"], error["value"], error["traceback"]
    return next((result["text"] for result in results if result["is_main_result"]), None)


def e2b(httpx: Any, request: dict[str, Any]) -> list[Any]:
    """No time-out, and no look at the status: whatever comes is gone through."""
    body = {"timeout": 30, "request_timeout": 28, **request["body"]}
    items = httpx.post(f"{request['url']}/execute_batch", json=body, timeout=None).json()
    return [number(main_text(item["execution"])) for item in items]


def morph(httpx: Any, request: dict[str, Any]) -> list[float]:
    """A null text, or a status that is not 200, costs the whole batch."""
    scripts = request["body"]["scripts"]
    try:
        body = {"timeout": 90, "request_timeout": 96, **request["body"]}
        response = httpx.post(f"{request['url']}/execute_batch", json=body, timeout=body["request_timeout"])
        texts = [item.get("text") if response.status_code == 200 else None for item in response.json()]
        if any(text is None for text in texts):
            raise TypeError("a text is null")
        return [number(text) or 0.0 for text in texts]
    except Exception:
        return [0.0] * len(scripts)


async def ask(client: Any, url: str, body: dict[str, Any]) -> dict[str, Any] | None:
    """An answer of status 200 that is not null and tells of no overload; None when all attempts are used up."""
    for attempt in range(ATTEMPTS):
        try:
            response = await client.post(f"{url}/api/v2/execute", json={"version": "*", **body})
            result = response.json()
            if response.status_code != 200 or result is None:
                raise Refused(response.text)
            if "Resource temporarily unavailable" in result.get("run", {}).get("stderr", ""):
                raise Refused("overloaded")
            return result
        except (Refused, asyncio.TimeoutError, OSError):
            await asyncio.sleep(0.1 * 2**attempt)
    return None


def codeforces_test(result: dict[str, Any] | None) -> Any:
    """True or false; "compile" for a program that does not compile; no answer is a failed test."""
    if result is None:
        return False
    if result["compile"]["code"] != 0:
        return "compile"
    return result["run"]["code"] == 0 and result["run"]["stdout"].strip() == "1"


def ioi_test(result: dict[str, Any]) -> list[Any]:
    """Score and feedback, by the first rule that applies."""
    if "message" in result:
        raise Refused(result["message"])
    if "compile" in result and result["compile"]["code"] != 0:
        return [0.0, f"Compilation error exit code {result['compile']['code']}\n{result['compile']['stderr']}"]
    run = result["run"]
    if run["code"] == 1 and "MemoryError" in run["stderr"]:
        return [0.0, "Memory limit exceeded"]
    if run["stdout"]:
        return [float(run["stdout"]), run["stderr"]]
    if run["signal"] == "SIGKILL":
        return [0.0, "Time limit exceeded"]
    if run["code"] != 0:
        raise Refused(f"{result['language']} {result['version']} {run}")
    return [0.0, "Unknown error"]


async def judge_all(httpx: Any, request: dict[str, Any]) -> list[Any]:
    read = ioi_test if request["kind"] == "ioi" else codeforces_test
    limits = httpx.Limits(max_connections=request.get("concurrency", 64))
    timeout = httpx.Timeout(None, read=SILENCE_S)

    async def one(client: Any, body: dict[str, Any]) -> Any:
        # What is raised is caught above, where it makes the reward None.
        try:
            return read(await ask(client, request["url"], body))  # type: ignore[arg-type]
        except (Refused, KeyError) as error:
            return {"raised": type(error).__name__}

    async with httpx.AsyncClient(limits=limits, timeout=timeout) as client:
        return await asyncio.gather(*[one(client, body) for body in request["bodies"]])


def main() -> None:
    sys.path.insert(0, sys.argv[1])
    import httpx  # type: ignore[import-not-found]

    request = json.load(sys.stdin)
    routers = {"e2b": e2b, "morph": morph}
    if request["kind"] in routers:
        json.dump(routers[request["kind"]](httpx, request), sys.stdout)
    else:
        json.dump(asyncio.run(judge_all(httpx, request)), sys.stdout)


if __name__ == "__main__":
    main()
