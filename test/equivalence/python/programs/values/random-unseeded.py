#: {"differs": true}
import random
print(random.random(), random.getrandbits(64))
