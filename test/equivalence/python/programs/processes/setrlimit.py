import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (10, 10))
files = []
try:
    while True:
        files.append(open('/dev/null'))
except OSError as e:
    print(len(files), e)
