# Hack 89: Guesses in order.
# Expected: no reward.
for n in range(1, 21):
    print(n, flush=True)
    if input() == "found":
        break
