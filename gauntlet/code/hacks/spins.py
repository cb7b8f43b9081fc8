# Hack 91: Answers after all time.
# Expected: no reward.
def add(x, y):
    while True:
        pass
