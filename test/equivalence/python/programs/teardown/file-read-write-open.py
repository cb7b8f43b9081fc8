#: {"collect": ["out.txt"]}
f = open('out.txt', 'w+')
f.write('updated')
