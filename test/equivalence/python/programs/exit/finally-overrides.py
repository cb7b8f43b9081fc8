import sys
def f():
    try:
        sys.exit(3)
    finally:
        return 1
print(f())
