import io, sys
print('real')
sys.stdout = io.StringIO()
print('captured')
