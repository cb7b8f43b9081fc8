from os import *
from sys import *
from math import *
from random import *
from collections import *
from string import *
from re import *
print(sorted(n for n in globals() if not n.startswith('_')))
