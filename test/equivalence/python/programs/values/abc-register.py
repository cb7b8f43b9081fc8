#: {"runtime": "process"}
import abc, collections.abc
class Mine: pass
collections.abc.Sequence.register(Mine)
print(isinstance(Mine(), collections.abc.Sequence), issubclass(Mine, collections.abc.Iterable), abc.get_cache_token() > 0)
