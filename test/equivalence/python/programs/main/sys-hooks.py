import sys
for name in 'excepthook', '__excepthook__', 'displayhook', 'breakpointhook', 'unraisablehook':
    print(getattr(sys, name))
print(sys.gettrace(), sys.getprofile(), sys.get_asyncgen_hooks(), sys.get_coroutine_origin_tracking_depth(), sys.exc_info(), sys.getdlopenflags())
print(hasattr(sys, 'last_value'), hasattr(sys, 'ps1'), sys.get_int_max_str_digits(), sys.is_finalizing())
