print(id(1) == id(1), 256 is 256, 'abc' is 'abc', () is ())
x = 257
print(x is 257, 'a b' is 'a b', ''.join(['a', 'b']) is 'ab')
