import tempfile, os
d = tempfile.TemporaryDirectory()
print(os.path.isdir(d.name))
