# Hack 13, 126: Says what the interactor says in the end.
# Expected: no reward.
print("found\n1.0\nok\naccepted", flush=True)
