def has(module, name):
    try:
        exec(f'import {module}; {module}.{name}', {})
        return True
    except AttributeError:
        return False
for module, names in {'xml': ['dom', 'etree', 'sax'], 'concurrent': ['futures'], 'email': ['message', 'utils'], 'logging': ['handlers', 'config'], 'urllib': ['parse', 'request', 'error'], 'http': ['client', 'server'], 'multiprocessing': ['pool'], 'os': ['path'], 'json': ['decoder', 'tool'], 'collections': ['abc'], 'unittest': ['mock'], 'encodings': ['utf_8', 'idna', 'ascii', 'latin_1', 'aliases'], 'ctypes': ['util'], 'curses': ['ascii'], 'html': ['parser', 'entities'], 'dbm': ['dumb'], 're': ['_parser', '_compiler']}.items():
    print(module, [n for n in names if has(module, n)])
