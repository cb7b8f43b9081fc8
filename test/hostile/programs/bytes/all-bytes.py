# How: writes every byte value, terminal escapes, NUL, lone surrogates in UTF-8 and a cut character on both streams.
# Expected: exited 0; valid JSON, replacement characters in the text, every byte exactly in base64.
import sys

data = bytes(range(256)) + b"\x1b[2J\x1b]0;title\x07\x00\xed\xa0\x80\xf0\x9f\x98"
sys.stdout.buffer.write(data)
sys.stderr.buffer.write(data[::-1])
