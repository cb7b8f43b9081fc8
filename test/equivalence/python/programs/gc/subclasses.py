#: {"runtime": "process"}
print(int.__subclasses__(), len(object.__subclasses__()) > 10, len(Exception.__subclasses__()))
