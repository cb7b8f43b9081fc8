"""The hidden tests of one function, as `check(candidate)`, beside the program."""


def check(candidate):
    assert candidate(1, 2) == 3
    assert candidate(x=-5, y=12) == 7
    assert abs(candidate(2, 40) - 42) <= 1e-9
    assert [candidate(1, 4)] == [5] and {candidate(2, 4): 1} == {6: 1}
    assert isinstance(candidate(1, 1), int) and not candidate(1, 1) != 2
    assert candidate(90071992547409931, 1) == 90071992547409932
    assert candidate(0, 8) in [8] and str(candidate(0, 9)) == "9"
