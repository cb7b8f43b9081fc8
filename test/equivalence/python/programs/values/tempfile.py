#: {"differs": true}
import tempfile
print(tempfile.mkdtemp(), tempfile.NamedTemporaryFile().name, tempfile.gettempdir())
