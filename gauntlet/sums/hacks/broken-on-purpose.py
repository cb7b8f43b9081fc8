# Hack 92: Is no Python, so that it might not be counted.
# Expected: no reward.
def main(:
    print(
