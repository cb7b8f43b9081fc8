# Hack 89: Says yes.
# Expected: no reward.
print("YES")
