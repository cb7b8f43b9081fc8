# Hack 91: Waits while it is waited for.
# Expected: no reward.
input()
