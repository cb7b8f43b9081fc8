import sys


def solve(words):
    kinds = {"01": [], "10": []}
    loops = set()
    for i, word in enumerate(words, 1):
        kind = word[0] + word[-1]
        if kind in kinds:
            kinds[kind].append(i)
        else:
            loops.add(kind)
    more, less = sorted(kinds.values(), key=len, reverse=True)
    if not more and not less:
        return None if len(loops) == 2 else []
    there = set(words)
    need = (len(more) - len(less)) // 2
    can = [i for i in more if words[i - 1][::-1] not in there]
    return can[:need] if len(can) >= need else None


data = sys.stdin.read().split()
at = 1
for _ in range(int(data[0])):
    n = int(data[at])
    answer = solve(data[at + 1 : at + 1 + n])
    at += 1 + n
    if answer is None:
        print(-1)
    else:
        print(len(answer))
        print(*answer)
