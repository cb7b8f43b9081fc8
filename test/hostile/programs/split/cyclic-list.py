# A list that holds itself.
def add(x, y):
    value = []
    value.append(value)
    return value
