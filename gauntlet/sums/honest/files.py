# Honest: Works with files and folders of its own.
# Expected: accepted.
import os
import shutil
import tempfile

with tempfile.NamedTemporaryFile("w", delete=False) as file:
    for _ in range(int(input())):
        file.write(f"{sum(map(int, input().split()))}\n")
os.makedirs("a/b", exist_ok=True)
shutil.move(file.name, "a/b/sums")
with open("a/b/sums") as sums:
    print(sums.read(), end="")
