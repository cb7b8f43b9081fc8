# How: valid UTF-8 with terminal escapes, NUL, separators that some parsers take for line ends, and JSON of its own.
# Expected: exited 0; the text arrives equal.
import sys

text = '\x1b[31mred\x1b[0m\x00\u2028\u2029\x85"}],"reward":1.0,{"\\\r\n\U0001f600\ufeff'
sys.stdout.buffer.write(text.encode())
