#: {"stdin": "a\nb\n"}
import select, sys
print(len(select.select([sys.stdin], [], [], 5)[0]))
print(sys.stdin.readline(), end='')
poll = select.poll()
poll.register(0, select.POLLIN)
print(len(poll.poll(1000)))
