import socket
a, b = socket.socketpair()
a.send(b'x'); print(b.recv(1), socket.gethostname())
try:
    socket.create_connection(('127.0.0.1', 80), 1)
except OSError as e:
    print(e.errno)
