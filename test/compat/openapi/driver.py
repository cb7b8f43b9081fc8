"""Runs schemathesis, unchanged, against a service, and prints what it found.

Standard input: {"url"}; standard output: {"code", "report", "output"}: its exit code, its own report and what it printed.
NDJSON, which it does not know, is made of one line and read by its first: the document describes a line.

Usage: python3 -I driver.py FOLDER_OF_PACKAGES < job.json > result.json
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from typing import Any, Dict

NDJSON = "application/x-ndjson"


def teach_ndjson(schemathesis: Any) -> None:
    @schemathesis.serializer(NDJSON)
    def to_lines(_context: Any, value: Any) -> bytes:
        return value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n"

    @schemathesis.deserializer(NDJSON)
    def first_line(_context: Any, response: Any) -> Any:
        return json.loads(response.content.splitlines()[0])


def main() -> None:
    job: Dict[str, str] = json.load(sys.stdin)
    sys.path.insert(0, sys.argv[1])
    here = os.path.dirname(os.path.abspath(__file__))
    # What it caches is none of the project's files.
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        import schemathesis  # type: ignore[import-not-found]
        from schemathesis.cli import schemathesis as command  # type: ignore[import-not-found]

        teach_ndjson(schemathesis)
        report = os.path.join(folder, "report.json")
        args = ["--config-file", os.path.join(here, "schemathesis.toml"), "run", job["url"] + "/openapi.json"]
        printed = io.StringIO()
        code = 0
        with contextlib.redirect_stdout(printed):
            try:
                command.main(args + ["--no-color", "--report", "json", "--report-json-path", report])
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 1
        content = None
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                content = json.load(file)
        os.chdir("/")
    print(json.dumps({"code": code, "report": content, "output": printed.getvalue()}))


main()
