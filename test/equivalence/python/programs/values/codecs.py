import codecs, encodings
print('é'.encode('latin-1'), 'a'.encode('utf-16'), codecs.lookup('rot13').name, 'hello'.encode('punycode'), b'abc'.decode('cp1252'), codecs.encode('x', 'rot13'), 'ß'.encode('idna'))
