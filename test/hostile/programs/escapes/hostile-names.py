# How: leaves files under names that break lines, quotes, encodings and terminals, and one name as long as names may be.
# Expected: exited 0; what is asked for comes back under its own name or is refused; JSON and log lines stay whole.
import os

NAMES = [b"new\nline", b'qu"ote', b"back\\slash", b"\x1b[2J", b"bytes-\xff\xfe", b"\xe2\x80\xae.txt", b"x" * 255, b"-rf", b" ", b"$(id)", b"a\rb"]
for name in NAMES:
    with open(name, "wb") as file:
        file.write(b"odd")
print("no", len(os.listdir(b".")), "names left the folder")
