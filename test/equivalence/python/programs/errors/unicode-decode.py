b'\xff'.decode()
