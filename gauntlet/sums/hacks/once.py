# Hack 39: Prints each number once.
# Expected: no reward.
sums = [sum(map(int, input().split())) for _ in range(int(input()))]
print(*dict.fromkeys(sums), sep="\n")
