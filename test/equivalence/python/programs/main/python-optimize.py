#: {"env": {"PYTHONOPTIMIZE": "1"}, "runtime": "process"}
assert False
print(__debug__)
