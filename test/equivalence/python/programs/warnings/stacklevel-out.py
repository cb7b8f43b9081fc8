import warnings
warnings.warn('beyond', stacklevel=2)
warnings.warn('far beyond', stacklevel=5)
