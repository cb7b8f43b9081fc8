import io, sys
sys.stderr = io.StringIO()
1 / 0
