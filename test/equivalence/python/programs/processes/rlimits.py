import resource
for name in sorted(dir(resource)):
    if name.startswith('RLIMIT_'):
        print(name, resource.getrlimit(getattr(resource, name)))
