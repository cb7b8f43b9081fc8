import contextvars
v = contextvars.ContextVar('v', default=1)
t = v.set(2)
ctx = contextvars.copy_context()
print(ctx.run(v.get), len(ctx), list(ctx) == [v])
v.reset(t)
print(v.get(), len(contextvars.copy_context()))
