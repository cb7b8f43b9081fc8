print(eval('__name__'), eval('1+1', {}), eval('__builtins__') is __builtins__)
print(sorted(k for k in (lambda d: (exec('', d), d)[1])({})))
