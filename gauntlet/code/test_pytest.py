"""The hidden tests of one function, for pytest."""

import pytest
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


def test_0():
    assert add(1, 2) == 3


def test_1():
    assert add(x=-5, y=12) == 7


def test_2():
    assert abs(add(2, 40) - 42) <= 1e-9


def test_3():
    assert [add(1, 4)] == [5] and {add(2, 4): 1} == {6: 1}


def test_4():
    assert isinstance(add(1, 1), int) and not add(1, 1) != 2


def test_5():
    assert add(90071992547409931, 1) == 90071992547409931 + 1


def test_6():
    assert add(0, 8) in [8] and str(add(0, 9)) == "9"
