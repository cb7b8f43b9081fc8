import warnings
warnings.warn('x')
print(globals().get('__warningregistry__'))
