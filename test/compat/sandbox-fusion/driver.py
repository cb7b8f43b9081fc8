"""Calls Sandbox Fusion's own SDK as its users do, and prints what it returns.

Standard input: {"url", "calls": [{"name", "request", "options"}]}; standard output: for each call {"value"} or {"error"}.
The SDK is its authors', unchanged; a stub stands in for aiohttp, which only its asynchronous half uses.

Usage: python3 -I driver.py FOLDER_OF_PACKAGES < calls.json > results.json
"""

from __future__ import annotations

import json
import logging
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict


def load_sdk(packages: str) -> Any:
    sys.path.insert(0, packages)
    sys.modules["aiohttp"] = types.ModuleType("aiohttp")
    import sandbox_fusion  # type: ignore[import-not-found]

    return sandbox_fusion


REQUESTS = {
    "run_code": "RunCodeRequest",
    "run_jupyter": "RunJupyterRequest",
    "submit": "SubmitRequest",
    "submit_safe": "SubmitRequest",
    "get_prompts": "GetPromptsRequest",
    "get_prompt_by_id": "GetPromptByIdRequest",
}


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(each) for each in value]
    return json.loads(value.json()) if hasattr(value, "json") else value


def call(sdk: Any, job: Dict[str, Any]) -> Any:
    name, request, options = job["name"], job["request"], job.get("options", {})
    if name == "concurrent":
        requests = [[sdk.RunCodeRequest(**each)] for each in request]
        return plain(sdk.run_concurrent(sdk.run_code, args=requests))
    if name == "summary":
        result = sdk.run_code(sdk.RunCodeRequest(**request))
        words = {each: each for each in ("CompileFailed", "CompileTimeout", "RunFailed", "RunTimeout")}
        return str(sdk.summary_run_code_result(result, sdk.SummaryMapping(**words)))
    return plain(getattr(sdk, name)(getattr(sdk, REQUESTS[name])(**request), **options))


def answer(sdk: Any, job: Dict[str, Any]) -> Dict[str, Any]:
    try:
        return {"value": call(sdk, job)}
    except Exception as error:
        return {"error": str(error)}


def main() -> None:
    # The SDK logs each try to standard error, which is the driver's own for failures.
    logging.disable(logging.CRITICAL)
    sdk = load_sdk(sys.argv[1])
    jobs = json.load(sys.stdin)
    sdk.set_endpoint(jobs["url"])
    with ThreadPoolExecutor(8) as pool:
        json.dump(list(pool.map(lambda job: answer(sdk, job), jobs["calls"])), sys.stdout)


if __name__ == "__main__":
    main()
