class A:
    def __del__(self):
        try:
            import json, ast
            print('imported', json.dumps([1]))
        except BaseException as e:
            print(type(e), e)
a = A()
