import warnings
warnings.filterwarnings('default', category=ResourceWarning)
f = open(__file__)
