import os
for target in 1, -1, 0 - 99999, 3, 4:
    try:
        os.kill(target, 0)
        print(target, 'ok')
    except OSError as e:
        print(target, e)
