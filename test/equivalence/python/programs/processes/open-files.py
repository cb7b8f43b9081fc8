files = []
try:
    while True:
        files.append(open('/dev/null'))
except OSError as e:
    print(len(files), e, files[0].fileno())
