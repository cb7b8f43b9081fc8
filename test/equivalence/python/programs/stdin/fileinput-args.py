#: {"stdin": "a\nb\n", "args": ["-", "data.txt"], "files": {"data.txt": "x\ny\n"}}
import fileinput
print([line for line in fileinput.input()])
