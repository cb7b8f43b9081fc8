#: {"files": {"pkg/__init__.py": "", "pkg/a.py": "", "pkg/b.py": ""}, "runtime": "process"}
import pkgutil, pkg
print([m.name for m in pkgutil.iter_modules(pkg.__path__)], pkgutil.get_data('pkg', 'a.py'))
