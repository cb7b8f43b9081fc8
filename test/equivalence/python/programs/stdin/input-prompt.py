#: {"stdin": "x\ny\n"}
name = input('name? ')
print(name)
input('again: ')
import os
os._exit(3)
