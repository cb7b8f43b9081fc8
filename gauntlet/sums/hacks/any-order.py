# Hack 39: Prints the right numbers in an order of its own.
# Expected: no reward.
sums = [sum(map(int, input().split())) for _ in range(int(input()))]
print(*sorted(sums, reverse=True), sep="\n")
