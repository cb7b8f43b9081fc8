import random
random.seed(42)
print([random.random() for _ in range(3)], random.randint(1, 100), random.sample(range(100), 5), random.choice('abc'), random.gauss(0, 1), random.getrandbits(70))
r = random.Random('text')
print(r.random(), r.shuffle(list(range(3))))
