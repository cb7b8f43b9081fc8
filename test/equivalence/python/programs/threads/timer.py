import threading
t = threading.Timer(0.02, print, ['tick'])
t.start()
print('waiting')
