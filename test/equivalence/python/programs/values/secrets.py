#: {"differs": true}
import secrets
print(secrets.token_hex(), secrets.randbelow(10 ** 12))
