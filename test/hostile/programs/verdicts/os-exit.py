# How: as above, without the interpreter's own farewell; what is buffered is lost.
# Expected: wrong_answer.
import os

print("42")
os._exit(0)
