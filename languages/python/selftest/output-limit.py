# Prints without end. Expected: output_limit.
line = "x" * 4096
while True:
    print(line)
