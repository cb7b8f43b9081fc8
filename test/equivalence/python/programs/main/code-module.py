#: {"stdin": "x = 3\nx * 2\n1/0\nraise SystemExit(5)\n"}
import code
code.interact(banner='hi', exitmsg='bye')
