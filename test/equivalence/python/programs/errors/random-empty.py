import random
random.choice([])
