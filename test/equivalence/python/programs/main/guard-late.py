def f():
    if __name__ == '__main__':
        return lambda: __name__
print(f()())
