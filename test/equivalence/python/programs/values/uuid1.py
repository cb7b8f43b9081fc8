#: {"differs": true}
import uuid
print(uuid.uuid1())
