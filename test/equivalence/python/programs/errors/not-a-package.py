import json.nothing, os.path.x
