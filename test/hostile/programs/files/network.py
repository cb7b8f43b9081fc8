# How: connects to the service itself, to loopback, link-local and public addresses, by TCP, UDP and name.
# Expected: exited 0 within a moment; every line says "no".
import socket
import sys

def attempt(name, what):
    try:
        what()
        print("yes", name)
    except OSError as error:
        print("no", name, error.errno)

def tcp(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(2)
        one.connect(address)

def udp(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.sendto(b"x", address)

port = int(sys.argv[1])
for host in ("127.0.0.1", "169.254.169.254", "10.0.0.1", "8.8.8.8"):
    attempt(f"tcp {host}", lambda: tcp(socket.AF_INET, (host, port)))
    attempt(f"udp {host}", lambda: udp(socket.AF_INET, (host, 53)))
for host in ("::1", "fe80::1", "2001:4860:4860::8888"):
    attempt(f"tcp {host}", lambda: tcp(socket.AF_INET6, (host, port)))
    attempt(f"udp {host}", lambda: udp(socket.AF_INET6, (host, 53)))
attempt("name", lambda: socket.getaddrinfo("example.com", 80))
for kind in ("AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG", "AF_BLUETOOTH", "AF_CAN", "AF_XDP"):
    family = getattr(socket, kind, None)
    if family is not None:
        attempt(kind, lambda: socket.socket(family, socket.SOCK_RAW if kind != "AF_ALG" else socket.SOCK_SEQPACKET).close())
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close())
attempt("listen", lambda: socket.create_server(("127.0.0.1", 18080)).close() or tcp(socket.AF_INET, ("127.0.0.1", 18080)))
