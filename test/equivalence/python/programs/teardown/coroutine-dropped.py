async def f():
    pass
f()
print('end')
