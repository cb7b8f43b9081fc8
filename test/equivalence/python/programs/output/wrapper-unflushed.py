import io, os
out = io.TextIOWrapper(os.fdopen(os.dup(1), 'wb'))
out.write('through a wrapper')
