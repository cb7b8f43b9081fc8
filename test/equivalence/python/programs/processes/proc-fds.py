import os
for fd in sorted(map(int, os.listdir('/proc/self/fd'))):
    try:
        print(fd, os.readlink(f'/proc/self/fd/{fd}').split(':')[0], open(f'/proc/self/fdinfo/{fd}').readlines()[:2])
    except OSError as e:
        print(fd, 'gone')
