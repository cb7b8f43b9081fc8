import pprint
pprint.pprint({i: list(range(20)) for i in range(5)})
