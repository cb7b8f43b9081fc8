import warnings
for f in warnings.filters:
    print(f)
print(warnings.onceregistry, warnings.defaultaction, warnings.showwarning, warnings._filters_mutated)
