print(bool(NotImplemented))
import datetime
print(~True)
