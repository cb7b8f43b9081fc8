import copy, pickle
class P:
    def __init__(self): self.x = [1, {2: 3}]
p = P()
q = copy.deepcopy(p)
print(q.x, q.x is not p.x, pickle.loads(pickle.dumps(p)).x, pickle.dumps(p)[:40])
