# How: sends a token to every place of this machine that it is told of: TCP, UDP, a name to be resolved, an abstract socket.
# Expected: exited 0, "tried"; nothing arrives.
import socket
import sys

token, tcp4, udp4, dns, tcp6, udp6, abstract = sys.argv[1:8]
text = token.encode()
question = b"ZZ\1\0\0\1\0\0\0\0\0\0" + bytes([len(text)]) + text + b"\0\0\1\0\1"
for family, kind, address, what in (
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(tcp4)), text),
    (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int(udp4)), text),
    (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int(dns)), question),
    (socket.AF_INET6, socket.SOCK_STREAM, ("::1", int(tcp6)), text),
    (socket.AF_INET6, socket.SOCK_DGRAM, ("::1", int(udp6)), text),
    (socket.AF_UNIX, socket.SOCK_STREAM, "\0" + abstract, text),
):
    try:
        with socket.socket(family, kind) as one:
            one.connect(address)
            one.sendall(what)
    except OSError:
        pass
print("tried")
