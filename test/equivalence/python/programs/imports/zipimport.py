#: {"runtime": "process"}
import zipfile, sys
with zipfile.ZipFile('lib.zip', 'w') as z: z.writestr('zmod.py', 'x = 9')
sys.path.insert(0, 'lib.zip')
import zmod
print(zmod.x, zmod.__file__, zmod.__loader__)
