import platform, sysconfig
print(platform.python_version(), platform.system(), platform.machine(), platform.python_implementation(), sysconfig.get_path('stdlib'), platform.node())
