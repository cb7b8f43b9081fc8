# The sum of two numbers, as DMOJ's judge would import it.
from dmoj.result import CheckerResult
from dmoj.utils.unicode import utf8text


def check(process_output, judge_output, judge_input, point_value, submission_source, **kwargs):
    assert isinstance(submission_source, bytes) and b"print" in submission_source
    assert kwargs["submission_language"] == "python"
    assert sum(map(int, judge_input.split())) == int(judge_output), "this is no answer"
    said = utf8text(process_output).strip()
    if said == "1001":
        return None
    if said == "1002":
        raise ValueError("crash")
    if said == "1003":
        while True:
            pass
    if said == "1004":
        return CheckerResult(True, point_value * 2)
    if said == "1005":
        return CheckerResult(True, point_value / 2, "half of it")
    if said == "1006":
        import os

        os._exit(0)
    if said == "1007":
        return CheckerResult(True, float("nan"))
    print('{"passed": true, "points": null, "message": ""}')
    return said == utf8text(judge_output).strip()
