"""The hidden tests of one function, for pytest, beside the program, which they patch."""

import pytest
import solution
from solution import add


@pytest.mark.parametrize("x, y, total", [(1, 2, 3), (-5, 12, 7), (0, 0, 0), (90071992547409931, 1, 90071992547409932)])
def test_sums(x, y, total):
    assert add(x, y) == total


@pytest.fixture
def numbers():
    return [add(1, 4), add(2, 40)]


def test_list(numbers):
    assert numbers == [5, 42]
    assert numbers[1] == pytest.approx(42)


def test_error(monkeypatch):
    monkeypatch.setattr(solution, "add", {}.__getitem__)
    with pytest.raises(KeyError):
        solution.add(1)
    assert add(30, 1) == 31


def test_patched(monkeypatch):
    monkeypatch.setattr(solution, "add", lambda x, y: x - y)
    assert solution.add(7, 3) == 4
    assert add(7, 3) == 10
