#: {"stdin": "real\n"}
import io, sys
sys.stdin = io.StringIO('fake\n')
print(input())
sys.stdin = sys.__stdin__
print(input())
