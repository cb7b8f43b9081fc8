#: {"runtime": "process"}
import sys
for name in 'path', 'flags', 'executable', 'prefix', 'base_prefix', 'exec_prefix', 'platlibdir', 'byteorder', 'maxsize', 'version', \
        'implementation', 'hash_info', 'int_info', 'float_info', 'thread_info', 'warnoptions', '_xoptions', 'dont_write_bytecode', \
        'pycache_prefix', 'path_hooks', 'meta_path', 'builtin_module_names', 'float_repr_style', '_git', 'platform':
    print(name, getattr(sys, name))
print(sys.getdefaultencoding(), sys.getfilesystemencoding(), sys.getfilesystemencodeerrors(), sys.getrecursionlimit(), sys.getswitchinterval())
