assert add(1, 2) == 3
assert add(x=-5, y=12) == 7
assert abs(add(2, 40) - 42) <= 1e-9
assert [add(1, 4)] == [5] and {add(2, 4): 1} == {6: 1}
assert isinstance(add(1, 1), int) and not add(1, 1) != 2 and add(1, 6) == 7
assert add(90071992547409931, 1) == 90071992547409932
assert add(0, 8) in [8] and str(add(0, 9)) == "9"
