import hashlib, zlib, hmac
print(hashlib.sha256(b'x').hexdigest(), hashlib.md5(b'').hexdigest(), zlib.crc32(b'x'), sorted(hashlib.algorithms_available) == sorted(hashlib.algorithms_available), hashlib.blake2b(b'x').hexdigest()[:10], hmac.new(b'k', b'v', 'sha1').hexdigest())
