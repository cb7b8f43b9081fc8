#: {"runtime": "process"}
import abc
print(abc.get_cache_token())
