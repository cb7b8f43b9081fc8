#: {"collect": ["out.txt"]}
f = open('out.txt', 'w')
f.write('data never flushed by hand')
