import warnings
for _ in range(3):
    warnings.warn('same')
warnings.simplefilter('always')
for _ in range(2):
    warnings.warn('again')
