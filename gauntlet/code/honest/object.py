# Honest: An object that can be called.
# Expected: accepted.
class Adder:
    def __call__(self, x, y):
        return x + y


add = Adder()
