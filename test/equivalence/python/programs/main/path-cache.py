#: {"runtime": "process"}
import sys
print(sorted(sys.path_importer_cache))
print(sys.path_importer_cache.get('/work'))
