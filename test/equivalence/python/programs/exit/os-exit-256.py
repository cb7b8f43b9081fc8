import os
os._exit(256)
