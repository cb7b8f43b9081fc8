# Sorts the wrong way round.
for _ in range(int(input())):
    n, k = map(int, input().split())
    a = sorted(map(int, input().split()))
    print(sum(a[: k + 1]))
