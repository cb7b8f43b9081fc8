# Hack 92, A2: Prints no number, so that what judges it fails and not the program.
# Expected: no reward.
print("many")
