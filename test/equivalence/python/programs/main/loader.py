print(type(__loader__), __loader__.name, __loader__.path, __loader__.is_package('__main__'))
print(__loader__.get_source('__main__'), end='')
