#: {"runtime": "process"}
import sys
import site
print(site.ENABLE_USER_SITE, site.getsitepackages(), site.getusersitepackages(), 'sitecustomize' in sys.path)
