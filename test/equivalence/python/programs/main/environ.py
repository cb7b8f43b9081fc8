import os
print(dict(os.environ), len(os.environb))
