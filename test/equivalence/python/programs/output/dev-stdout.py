with open('/dev/stdout', 'w') as f:
    f.write('by name\n')
print('by print')
