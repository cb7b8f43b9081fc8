"""Judges two numbers with a given sum, as DMOJ's judge would import it. Bears any output."""

import re


def check(process_output, judge_output, judge_input, **kwargs):
    if judge_output.split() == [b"?"]:
        return True
    words = process_output.split()
    if len(words) != 2 or not all(re.fullmatch(rb"[1-9][0-9]{0,11}", word) for word in words):
        return False
    return sum(map(int, words)) == int(judge_input)
