# Honest: Uses the descriptors themselves.
# Expected: accepted.
import os

data = b""
while chunk := os.read(0, 1 << 16):
    data += chunk
numbers = list(map(int, data.split()))[1:]
for a, b in zip(numbers[::2], numbers[1::2]):
    os.write(1, f"{a + b}\n".encode())
os.close(1)
