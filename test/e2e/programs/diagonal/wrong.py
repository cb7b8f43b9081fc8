# Ignores parity.
for _ in range(int(input())):
    n, m, k = map(int, input().split())
    print(-1 if max(n, m) > k else k)
