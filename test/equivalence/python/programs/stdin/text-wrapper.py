#: {"stdin": "a\nb\n"}
import io, sys
sys.stdin = io.TextIOWrapper(sys.stdin.buffer, encoding='ascii')
print(input(), input())
