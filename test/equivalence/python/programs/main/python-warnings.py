#: {"env": {"PYTHONWARNINGS": "error"}, "runtime": "process"}
import warnings
warnings.warn('boom')
