"""Calls the `check` function of a DMOJ checker on one case, in a jail of the problem's author.

Reads the case's files, which are data (`facts.json` names the checker's main file), and writes the answer as ASCII JSON. The service decides what it means; a checker
that raises is told apart from one that refuses. Modules that checkers import from DMOJ's judge are here in small.
"""
import json
import sys
import types
from typing import Any, Dict, Optional, Union


class CheckerResult:
    """What `check` returns where a bool does not say enough."""

    def __init__(
        self,
        passed: bool,
        points: float,
        feedback: Optional[str] = None,
        extended_feedback: Optional[str] = None,
    ) -> None:
        self.passed = passed
        self.points = points
        self.feedback = feedback
        self.extended_feedback = extended_feedback


class InternalError(Exception):
    """The checker's own way to say that it failed."""


def utf8bytes(text: Union[str, bytes, None]) -> Optional[bytes]:
    """Text as UTF-8."""
    return text.encode("utf-8") if isinstance(text, str) else text


def utf8text(data: Union[str, bytes, None], errors: str = "strict") -> Optional[str]:
    """UTF-8 as text."""
    return data.decode("utf-8", errors) if isinstance(data, bytes) else data


# Named so that a warm runtime may fork this file: what it adds, nobody has imported before.
loaded: Dict[str, Any] = vars(sys)["modules"]


def module(name: str, **members: Any) -> None:
    """Makes a module importable."""
    made = types.ModuleType(name)
    made.__dict__.update(members)
    made.__path__ = []  # type: ignore[attr-defined]
    loaded[name] = made


def read(name: str) -> bytes:
    """A file of the case."""
    with open("case/" + name, "rb") as file:
        return file.read()


def answer(passed: Optional[bool], points: Optional[str], message: str) -> Dict[str, Any]:
    """`passed` is None where the checker failed."""
    return {"passed": passed, "points": points, "message": message}


def judge() -> Dict[str, Any]:
    """Loads the checker and calls it."""
    facts = json.loads(read("facts.json"))
    checker = facts.pop("checker")
    with open(checker, "rb") as file:
        source = file.read()
    main = types.ModuleType("checker")
    main.__file__ = checker
    loaded["checker"] = main
    try:
        exec(compile(source, checker, "exec"), main.__dict__)
        given = main.__dict__["check"](
            read("output.txt"),
            read("answer.txt"),
            judge_input=read("input.txt"),
            submission_source=read("source.txt"),
            batch=0,
            binary_data=True,
            problem_id="",
            case=None,
            result=None,
            **facts,
        )
    except UnicodeDecodeError:
        return answer(False, None, "invalid unicode")
    except BaseException as error:  # Whatever the author's code raises, an exit too, is its failure.
        return answer(None, None, "check raised {}: {}".format(type(error).__name__, error)[:400])
    if isinstance(given, bool):
        return answer(given, None, "")
    if isinstance(given, CheckerResult) and isinstance(given.passed, bool):
        return answer(given.passed, str(given.points), str(given.feedback or ""))
    return answer(None, None, "check returned a {}".format(type(given).__name__))


def main() -> None:
    """The program."""
    module("dmoj")
    module("dmoj.result", CheckerResult=CheckerResult)
    module("dmoj.error", InternalError=InternalError)
    module("dmoj.utils")
    module("dmoj.utils.unicode", utf8bytes=utf8bytes, utf8text=utf8text)
    written = json.dumps(judge())
    with open("case/result.json", "w", encoding="ascii") as file:
        file.write(written)


main()
