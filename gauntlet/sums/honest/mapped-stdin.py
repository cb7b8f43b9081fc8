# Honest: Opens its input anew, as a file.
# Expected: accepted.
with open("/dev/stdin") as file:
    t, *lines = file.read().splitlines()
with open("/dev/stdout", "w") as file:
    for line in lines[: int(t)]:
        print(sum(map(int, line.split())), file=file)
