for _ in range(int(input())):
    n, k = map(int, input().split())
    a = sorted(map(int, input().split()), reverse=True)
    print(sum(a[: k + 1]))
