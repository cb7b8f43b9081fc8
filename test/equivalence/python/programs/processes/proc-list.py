import os
print([p for p in os.listdir('/proc') if p.isdigit()], os.listdir('/proc/self/task'), sorted(os.listdir('/proc'))[:5])
