# There is never an answer.
for _ in range(int(input())):
    print(-1)
    for _ in range(int(input())):
        input()
