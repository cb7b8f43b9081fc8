#: {"differs": true}
import uuid
print(uuid.uuid4())
