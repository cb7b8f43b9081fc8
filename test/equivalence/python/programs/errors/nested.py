class A:
    def go(self, n):
        if n == 0:
            raise ValueError('deep é')
        return self.go(n - 1)


print('before')
A().go(5)
