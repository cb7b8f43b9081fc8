#: {"files": {"ns/mod.py": "x = 1\n"}}
import ns.mod
print(ns.mod.x, ns.__path__, ns)
