#: {"differs": true}
import random
print(hash(random.getstate()), random.Random().random(), random.SystemRandom().random())
