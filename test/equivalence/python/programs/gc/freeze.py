import gc
gc.freeze()
gc.unfreeze()
print('ok')
