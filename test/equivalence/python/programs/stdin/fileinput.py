#: {"stdin": "a\nb\n"}
import fileinput
for line in fileinput.input():
    print(fileinput.filename(), fileinput.lineno(), line, end='')
