import gc
print(gc.collect())
