# How: makes links from every name that a judge might compare or fill in later to every name the reference might have, and
# prints what it can read through them.
# Expected: wrong_answer: there is no reference to read, and none to overwrite.
import os

REFERENCES = ["res.txt", "expected", "expected_output", "answer", "1.ans", "1.out", "/judge/answer", "/tests/1.out", "/expected"]
for name in ("output.txt", "stdout", "out", "user_output", "result", "output"):
    for reference in REFERENCES:
        try:
            os.symlink(reference, name)
        except FileExistsError:
            os.unlink(name)
            os.symlink(reference, name)
        try:
            with open(name) as file:
                print(file.read())
        except OSError:
            pass
for reference in REFERENCES:
    try:
        with open(reference, "w") as file:
            file.write("my own answer\n")
    except OSError:
        pass
print("my own answer")
