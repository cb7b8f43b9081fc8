import io, sys
sys.stdout = io.StringIO()
print('captured')
text = sys.stdout.getvalue()
sys.stdout = sys.__stdout__
print('got', text)
