"""Reads tests that are to share a process with the program, and says which literals can be altered. No candidate is here."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Dict

from assay_channel import Channel, take_streams
from assay_units import USABLE, Unit, units_of

SAID_MAX = 500


def shape_of(unit: Unit) -> Dict[str, Any]:
    return {**unit._asdict(), "sites": [site._asdict() for site in unit.sites]}


def planned(tests: Dict[str, Any]) -> Dict[str, Any]:
    """The tests with their places; else why they cannot be judged so (`problem`), or at all (`broken`)."""
    try:
        units = units_of(tests)
    except SyntaxError as error:
        return {"broken": "%s (%s, line %s)" % (error.msg, error.filename, error.lineno)}
    except RecursionError:
        return {"broken": "the tests are too deep"}
    except ValueError as error:
        return {"problem": str(error)[:SAID_MAX]}
    hidden = [unit for unit in units if not unit.shown]
    bare = [unit.id for unit in hidden if not any(site.kind in USABLE for site in unit.sites)]
    if not units:
        return {"problem": "there are no tests in them"}
    if not hidden:
        return {"problem": "every test is an example of the prompt"}
    if bare:
        more = ", and %d more" % (len(bare) - 1) if len(bare) > 1 else ""
        return {"problem": "test %s%s has no expected literal that could be altered" % (bare[0][:SAID_MAX], more)}
    return {"units": [shape_of(unit) for unit in units]}


def main() -> None:
    reader, writer = take_streams()
    channel = Channel(reader, writer)
    sys.setrecursionlimit(10_000)
    tests = json.loads(channel.receive())
    channel.send(json.dumps(planned(tests)).encode())
    os._exit(0)
