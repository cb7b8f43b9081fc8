x = 41
breakpoint()
print('after')
