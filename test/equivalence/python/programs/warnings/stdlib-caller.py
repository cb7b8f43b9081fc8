import random, re, locale, string
random.seed([1])
