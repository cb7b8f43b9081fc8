#: {"files": {"a.py": "import b\nx = b.y\n", "b.py": "import a\ny = a.x\n"}}
import a
