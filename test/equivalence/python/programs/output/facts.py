import sys
for s in sys.stdout, sys.stderr:
    print(s.name, s.mode, s.encoding, s.errors, s.line_buffering, s.write_through, s.isatty(), s.fileno(), s.newlines, s.buffer, s)
print(sys.stdout is sys.__stdout__, sys.stdout.buffer.raw)
