import contextlib, io
out = io.StringIO()
with contextlib.redirect_stdout(out):
    print('inside')
print(repr(out.getvalue()))
