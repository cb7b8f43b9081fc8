"""Runs verl's own Sandbox Fusion client on jobs read from standard input, and prints what it returns.

The packages above the module are stubs, since theirs import torch and ray; the module itself is verl's, unchanged.
All jobs run at once and share one semaphore, as the checks of one reward worker do.

Usage: python3 -I driver.py FOLDER_OF_PACKAGES < jobs.json > results.json
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

PARENTS = ("verl", "verl.utils", "verl.utils.reward_score")


def load_client(packages: Path) -> Any:
    """Imports `verl.utils.reward_score.sandbox_fusion` with its parents stubbed."""
    sys.path.insert(0, str(packages))
    for name in PARENTS:
        stub = types.ModuleType(name)
        stub.__path__ = [str(packages.joinpath(*name.split(".")))]
        sys.modules[name] = stub
    import verl.utils.reward_score.sandbox_fusion as client  # type: ignore[import-not-found]

    return client


def run_job(client: Any, url: str, semaphore: threading.Semaphore, job: dict[str, Any]) -> dict[str, Any]:
    """One reward, or (where the job names a language) one list of results; both with verl's metadata."""
    if "completion" in job:
        score, metadata = client.compute_score(
            url,
            semaphore,
            job.get("memory_limit_mb", 1024),
            job["completion"],
            job["test_cases"],
            continuous=job.get("continuous", True),
            timeout=job.get("timeout", 10),
        )
        return {"score": score, "metadata": metadata}
    results, metadata = client.check_correctness(
        url,
        job["test_cases"],
        job["code"],
        timeout=job.get("timeout", 10),
        memory_limit_mb=job.get("memory_limit_mb", 1024),
        language=job["language"],
        concurrent_semaphore=semaphore,
    )
    return {"results": results, "metadata": metadata}


def main() -> None:
    logging.disable(logging.CRITICAL)
    request = json.load(sys.stdin)
    client = load_client(Path(sys.argv[1]))
    semaphore = threading.Semaphore(request["concurrency"])
    jobs = request["jobs"]
    with ThreadPoolExecutor(max_workers=max(1, len(jobs))) as executor:
        futures = [executor.submit(run_job, client, request["url"], semaphore, job) for job in jobs]
        json.dump([future.result() for future in futures], sys.stdout)


if __name__ == "__main__":
    main()
