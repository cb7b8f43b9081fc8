import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

a = np.ones((120, 120))
with ThreadPoolExecutor(4) as pool:
    print([float(x) for x in pool.map(lambda k: (a @ a * k).sum(), range(6))])
results = []
threads = [threading.Thread(target=lambda k=k: results.append(int(np.arange(k).sum()))) for k in range(5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(results), threading.active_count())
