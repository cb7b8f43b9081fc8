data = [3, 1, 2]; assert order(data) == sorted(data) and len(data) == 3
data = [5, 4]; got = order(data); assert got == sorted(data) and set(got) == set(data)
data = [2, 1]; got = order(data); assert all(a in data for a in got) and [x for x in got] == [x for x in got] == [1, 2]
