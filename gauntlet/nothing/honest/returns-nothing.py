# Honest: Returns nothing.
# Expected: accepted.
def find(values, value):
    for index, each in enumerate(values):
        if each == value:
            return index
