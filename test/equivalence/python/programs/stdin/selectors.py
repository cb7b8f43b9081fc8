#: {"stdin": "a\n"}
import selectors, sys
with selectors.DefaultSelector() as s:
    s.register(sys.stdin, selectors.EVENT_READ)
    print([key.fd for key, _ in s.select(5)])
