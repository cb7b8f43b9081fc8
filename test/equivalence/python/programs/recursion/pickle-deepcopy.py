import copy, pickle
x = []
for _ in range(600):
    x = [x]
for f in pickle.dumps, copy.deepcopy:
    try:
        f(x)
        print('fine')
    except RecursionError as e:
        print(e)
