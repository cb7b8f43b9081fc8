#: {"differs": true}
import os
print(os.urandom(16), os.getrandom(8))
