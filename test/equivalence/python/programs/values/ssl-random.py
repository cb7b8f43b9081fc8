#: {"differs": true}
import ssl
print(ssl.RAND_bytes(16))
