for _ in range(int(input())):
    n = int(input())
    position = [0] * (n + 1)
    for i, value in enumerate(map(int, input().split())):
        position[value] = i
    left, right, answer = n, -1, []
    for m in range(1, n + 1):
        left, right = min(left, position[m]), max(right, position[m])
        answer.append("1" if right - left + 1 == m else "0")
    print("".join(answer))
