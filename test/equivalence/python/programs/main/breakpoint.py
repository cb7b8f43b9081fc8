#: {"stdin": "p x\nc\n"}
x = 41
breakpoint()
print('after')
