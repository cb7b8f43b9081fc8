import sys, io
sys.stderr = io.StringIO()
sys.exit('text')
