async def f():
    pass
c = f()
print('end')
