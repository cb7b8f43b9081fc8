import gc
gc.callbacks.append(lambda phase, info: print(phase, info['generation']))
print('end')
