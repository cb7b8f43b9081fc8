# Answers after all time.
def add(x, y):
    while True:
        pass
