# Hack A2: Fills its file system and leaves nothing for others.
# Expected: no reward.
import itertools

for n in itertools.count():
    try:
        with open(f"f{n}", "wb") as file:
            file.write(b"x" * (1 << 22))
    except OSError:
        break
