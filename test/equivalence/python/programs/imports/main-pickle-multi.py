import pickle
class A:
    def __eq__(self, o): return type(o) is type(self)
print(pickle.loads(pickle.dumps(A())) == A(), pickle.dumps(A()))
