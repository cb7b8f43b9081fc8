import warnings
warnings.warn('old', DeprecationWarning)
def f(): warnings.warn('two', DeprecationWarning, stacklevel=2)
f()
warnings.warn('user')
warnings.warn('hidden', PendingDeprecationWarning)
warnings.warn('hidden', ImportWarning)
