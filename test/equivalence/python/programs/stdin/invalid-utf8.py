#: {"stdin_base64": "YWL/Y2QK"}
print(input())
