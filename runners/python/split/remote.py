"""The trusted side's view of the candidate: functions, classes and objects whose every use is one request.

What comes back is data of exact types, or an exception of a class that this side chose. What it cannot be, or that the
candidate's process has ended, spoils the test under way whatever the test's own code makes of it.
"""

from __future__ import annotations

import _thread
import builtins
import importlib
import random
import re
import sys
import types
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from assay_channel import FRAME_MAX, Channel, Closed
from assay_codec import BadData, Decoder, Encoder, Hooks, Unsupported, dumps, loads

CHUNK = 60_000
# Of calls that are sent before they are made. What lies between the two sides holds more, so neither can wait for the other.
AHEAD_BYTES = 30_000
CONTROL = {
    "builtins.SystemExit", "builtins.KeyboardInterrupt", "builtins.GeneratorExit", "builtins.StopIteration",
    "builtins.StopAsyncIteration", "unittest.case.SkipTest", "_pytest.outcomes.OutcomeException",
}
# Whose exception classes may be raised here by name.
LIBRARIES = {
    "json", "json.decoder", "decimal", "re", "struct", "zlib", "queue", "csv", "socket", "ssl", "sqlite3", "zipfile", "binascii",
    "subprocess", "urllib.error", "email.errors", "configparser", "xml.etree.ElementTree", "xml.parsers.expat", "dataclasses",
    "statistics", "calendar", "ipaddress", "asyncio.exceptions", "concurrent.futures._base", "numpy.linalg", "numpy.exceptions",
    "pandas.errors", "fractions", "tokenize", "shutil", "copy", "pickle", "_pickle", "_csv",
}
ALIASES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot", "dt": "datetime"}
# Modules whose names tests use without importing them: the candidate's objects of these names are not what is meant.
MODULES = sys.stdlib_module_names | set(ALIASES) | {
    "numpy", "pandas", "matplotlib", "scipy", "sklearn", "sympy", "networkx", "torch", "pytest"}
# Methods of data that answer yes or no to what a test knows: of an object that was returned they would be the candidate's.
PREDICATES = {n for t in (str, bytes, set) for n in dir(t) if re.match("is|startswith|endswith", n)} | {"equals", "all", "any"}
SENTENCE_MAX = 2000
# Of an error of the candidate's: how far its classes are looked at, and how many attributes come along.
MRO_MAX = 20
ATTRIBUTES_MAX = 32


class CandidateError(Exception):
    """Something that the candidate did and that no class of this side stands for."""


class CandidateDead(CandidateError):
    """The candidate's process has ended."""


class Stream:
    """The envelope between this process and the service: one letter, then its body."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.generation = 0
        self.ended: Optional[int] = None
        self.buffer = bytearray()

    def tell(self, letter: bytes, body: bytes = b"") -> None:
        self.channel.send(letter + body)

    def hold(self, letter: bytes, body: bytes) -> None:
        """Told together with what is told next, which must come at once."""
        self.channel.hold(letter + body)

    def renew(self) -> None:
        """A candidate that has just started."""
        self.generation += 1
        self.buffer.clear()
        self.hold(b"N", self.generation.to_bytes(4, "big"))

    @property
    def is_alive(self) -> bool:
        return self.generation > 0 and self.ended != self.generation

    def send(self, *bodies: bytes) -> None:
        data = b"".join(len(body).to_bytes(4, "big") + body for body in bodies)
        for at in range(0, len(data), CHUNK):
            self.tell(b"C", data[at:at + CHUNK])

    def receive(self) -> bytes:
        size = int.from_bytes(self.exactly(4), "big")
        if size > FRAME_MAX:
            raise BadData("a frame of %d bytes" % size)
        return self.exactly(size)

    def exactly(self, size: int) -> bytes:
        while len(self.buffer) < size:
            frame = self.channel.receive()
            letter, generation = frame[:1], int.from_bytes(frame[1:5], "big")
            if generation != self.generation:
                continue
            if letter == b"X":
                self.ended = generation
                raise CandidateDead("the program ended before it answered")
            self.buffer += frame[5:]
        taken = bytes(self.buffer[:size])
        del self.buffer[:size]
        return taken


class Remote(Hooks):
    def __init__(self, stream: Stream, options: Dict[str, Any]) -> None:
        super().__init__()
        self.stream = stream
        self.level = options.get("level", 1)
        self.write_back = options.get("write_back", False)
        self.prompt = options.get("prompt")
        self.names: Dict[str, Any] = {}
        self.classes: Dict[str, type] = {}
        self.errors: Dict[str, type] = {}
        self.own_errors: Dict[str, type] = {}
        # What each error class of the candidate's derives from, by full names.
        self.ancestors: Dict[str, List[str]] = {}
        # One request at a time, whichever thread of the tests makes it; calls back come within.
        self.lock = _thread.RLock()
        self.callbacks: List[Callable[..., Any]] = []
        # Names that are the candidate's even where a module has them, and numbers of objects that the test itself made.
        entry = options.get("entry") or []
        self.entries = {each.split(".")[0].rstrip("()") for each in ([entry] if isinstance(entry, str) else entry)}
        self.made: Set[int] = set()
        # What the files of tests were given by `prompt` and `entry`; the candidate's own takes its place.
        self.stubs: Set[str] = set()
        # Whether anything of the tests may come from the candidate.
        self.is_asked = False
        self.next_id = random.SystemRandom().randrange(1 << 30)
        # Calls that the tests are sure to make, those that were sent already, and the numbers of those that nobody needs.
        self.plan: List[bytes] = []
        self.ahead: List[Tuple[bytes, int]] = []
        self.dropped: Set[int] = set()
        # Why the test under way fails, whatever becomes of it; and the last error of the candidate's own.
        self.spoiled: Optional[Tuple[str, str]] = None
        self.raised: Optional[BaseException] = None
        self.failed_load: Optional[Tuple[str, str]] = None

    # Talking

    def start(self, plan: List[bytes]) -> None:
        """Loads the candidate; `plan` are the calls that the tests are sure to make first (`call_of`), in their order."""
        self.plan = plan[::-1]
        self.stream.renew()
        request = {"op": "setup", "level": self.level, "prompt": self.prompt,
                   "records": list(self.records), "enums": list(self.enums)}
        try:
            reply = self.exchange(request)
        except CandidateError as error:
            self.failed_load = self.spoiled or ("runtime_error", str(error))
            return
        except BaseException as error:
            self.failed_load = ("runtime_error", sentence_of(error))
            return
        found = reply.get("ok")
        names = found.get("names") if isinstance(found, dict) else None
        if not isinstance(names, dict):
            self.failed_load = ("runtime_error", "the program gave no names")
            return
        for name, fact in names.items():
            if isinstance(name, str) and name.isidentifier() and isinstance(fact, list) and len(fact) == 2 and isinstance(fact[0], str):
                self.names[name] = fact
                mro = names_in(fact[1]) if fact[0] == "x" else []
                if mro:
                    self.ancestors[mro[0]] = mro

    def spoil(self, verdict: str, why: str) -> CandidateError:
        if self.spoiled is None:
            self.spoiled = (verdict, why[:SENTENCE_MAX])
        return CandidateError(why[:SENTENCE_MAX])

    def exchange(self, request: Dict[str, Any]) -> Dict[str, Any]:
        """One request and its reply; raises what the candidate raised."""
        with self.lock:
            return self.exchange_alone(request)

    def exchange_alone(self, request: Dict[str, Any]) -> Dict[str, Any]:
        if not self.stream.is_alive:
            self.spoil("dead", "the program ended before it answered")
            raise CandidateDead("the program has ended")
        if not self.is_asked and request["op"] not in ("setup", "seed"):
            self.is_asked = True
            self.stream.tell(b"A")
        body = dumps(request)
        if self.ahead and self.ahead[0][0] == body:
            number = self.ahead.pop(0)[1]
        else:
            number = self.ask(request)
        try:
            reply = self.reply(number)
        except CandidateDead:
            self.spoil("dead", "the program ended before it answered")
            raise
        except (BadData, RecursionError, MemoryError) as error:
            self.stream.ended = self.stream.generation
            raise self.spoil("runtime_error", "what the program answered cannot be read: %s" % error) from None
        printed = reply.get("out")
        if isinstance(printed, str):
            sys.stdout.write(printed)
        if "un" in reply:
            raise self.spoil("wrong_answer", str(reply["un"])[:SENTENCE_MAX])
        if "er" in reply:
            error = self.error_of(reply["er"])
            self.raised = error
            raise error
        return reply

    def ask(self, request: Dict[str, Any]) -> int:
        number = self.next_id = self.next_id + 1
        if request["op"] != "setup":
            # The tests do something else.
            self.drop_plan()
        self.stream.send(dumps({**request, "i": number}), *self.look_ahead())
        return number

    def look_ahead(self) -> List[bytes]:
        calls: List[bytes] = []
        room = AHEAD_BYTES
        while self.plan and room > len(self.plan[-1]):
            call = self.plan.pop()
            room -= len(call)
            self.next_id += 1
            self.ahead.append((call, self.next_id))
            calls.append(call)
        if not calls:
            self.plan.clear()
            return []
        first = self.next_id - len(calls) + 1
        return [b'{"op":"ahead","i":%d,"calls":[%s]}' % (first, b",".join(calls))]

    def drop_plan(self) -> None:
        self.dropped.update(number for _, number in self.ahead)
        self.ahead.clear()
        self.plan.clear()

    def reply(self, number: int) -> Dict[str, Any]:
        while True:
            reply = loads(self.stream.receive())
            if type(reply) is not dict:
                raise BadData("no reply")
            if "cb" in reply:
                self.answer_callback(reply)
                continue
            if type(reply.get("i")) is int and reply["i"] in self.dropped:
                self.dropped.discard(reply["i"])
                continue
            if reply.get("i") != number:
                raise BadData("a reply to nothing")
            if reply.get("last") is True:
                self.ahead.clear()
                self.plan.clear()
            elif self.plan and not self.ahead:
                self.stream.send(*self.look_ahead())
            return reply

    def answer_callback(self, reply: Dict[str, Any]) -> None:
        number = reply["cb"]
        if self.level < 2 or type(number) is not int or not 0 <= number < len(self.callbacks):
            raise BadData("a call back of nothing")
        args, kwargs = self.decode(reply.get("a"))
        if type(args) is not list or type(kwargs) is not dict:
            raise BadData("arguments of a call back")
        try:
            answer = {"ok": self.encode(self.callbacks[number](*args, **kwargs))}
        except Exception as error:
            if isinstance(error, AssertionError):
                # The candidate may catch it; the test has failed all the same.
                self.spoil("wrong_answer", sentence_of(error))
            answer = {"er": type(error).__name__}
        self.stream.send(dumps(answer))

    def value_of(self, reply: Dict[str, Any]) -> Any:
        try:
            return self.decode(reply.get("ok"))
        except Exception as error:
            raise self.spoil("wrong_answer", "what the program answered is no plain data: %s" % error) from None

    def encode(self, value: Any) -> Any:
        return Encoder(self).document(value)

    def decode(self, body: Any) -> Any:
        return Decoder(self).document(body)

    def arguments(self, args: Any, kwargs: Any) -> Any:
        try:
            return self.encode([list(args), kwargs])
        except Unsupported as error:
            raise self.spoil("wrong_answer", "an argument cannot be sent: %s" % error) from None

    # What does not travel

    def outside(self, value: Any) -> Any:
        if isinstance(value, Handle):
            return {"h": object.__getattribute__(value, "_number")}
        if isinstance(value, HandleType) and value.__name__ in self.classes:
            return {"k": value.__name__}
        if isinstance(value, Function) and value.name.isidentifier():
            return {"k": value.name}
        known = place_of_builtin(value)
        if known is not None:
            return {"bf": known}
        if self.level >= 2 and callable(value):
            self.callbacks.append(value)
            return {"cb": len(self.callbacks) - 1}
        if hasattr(type(value), "__next__") or isinstance(value, types.GeneratorType):
            return self.encode(list(value))["v"]
        raise Unsupported("a %s is no plain data" % type(value).__name__)

    def inside(self, tag: str, body: Any) -> Any:
        if tag == "h" and type(body) is list and len(body) == 2 and type(body[0]) is int and type(body[1]) is str:
            if self.level < 2 and body[0] not in self.made:
                raise BadData("an object that the test did not make (level 2 allows it)")
            return self.object_of(body[0], body[1])
        if tag == "it" and type(body) is int and self.level >= 1:
            return Iterator(self, body)
        if tag == "co" and type(body) is int and self.level >= 1:
            return awaited(self, body)
        if tag == "ai" and type(body) is int and self.level >= 1:
            return AsyncIterator(self, body)
        raise BadData("unknown tag")

    def object_of(self, number: int, name: str, is_made: bool = False) -> Any:
        cls = self.class_of(name) if self.names.get(name, ["", None])[0] == "c" else Handle
        handle = object.__new__(cls)
        object.__setattr__(handle, "_remote", self)
        object.__setattr__(handle, "_number", number)
        object.__setattr__(handle, "_is_made", is_made)
        return handle

    def class_of(self, name: str, below: Tuple[str, ...] = ()) -> type:
        if name not in self.classes:
            bases: List[type] = []
            for base in names_in(self.names.get(name, ["c", None])[1]):
                if base not in (name, *below) and len(below) < MRO_MAX and self.names.get(base, [""])[0] == "c":
                    bases.append(self.class_of(base, (*below, name)))
            cls = derived(HandleType, name, bases, Handle)
            type.__setattr__(cls, "_remote", self)
            self.classes[name] = cls
        return self.classes[name]

    # Names of the candidate's module

    def resolve(self, name: str) -> Any:
        """What a name of the candidate's means here; raises KeyError."""
        if name in MODULES and name not in self.entries and self.names.get(name, ["c"])[0] == "c":
            return own_module(name)
        kind, fact = self.names[name]
        if kind == "f":
            return Function(self, name)
        if kind == "c":
            return self.class_of(name)
        if kind == "x":
            return self.error_class(fact if isinstance(fact, list) else [])
        if kind == "m":
            if fact != ALIASES.get(name, name) or name not in MODULES:
                raise KeyError(name)
            return own_module(name)
        value = self.value_of(self.exchange({"op": "get", "name": name}))
        if isinstance(value, Handle) and name in MODULES and name not in self.entries:
            return own_module(name)
        return value

    def is_free(self, name: str, taken: Set[str]) -> bool:
        """Whether a star import may bind it."""
        is_shadow = name in MODULES and self.names[name][0] not in "fm"
        return not (is_shadow or name in taken or hasattr(builtins, name))

    def demand(self, name: str) -> Any:
        """A name that a test uses and that has to be the candidate's; KeyError spoils the test."""
        try:
            return self.resolve(name)
        except KeyError:
            if self.stream.generation and self.failed_load is None:
                self.spoil("runtime_error", "the program defines no %s" % name)
            raise

    def call(self, function: str, args: Any, kwargs: Any, fresh: bool = False) -> Any:
        return self.call_with(self.request_of(function, args, kwargs, fresh), args, kwargs)

    def request_of(self, function: str, args: Any, kwargs: Any, fresh: bool) -> Dict[str, Any]:
        request = {"op": "call", "fn": function, "a": self.arguments(args, kwargs)}
        if fresh:
            request["fresh"] = True
        if self.write_back:
            request["wb"] = True
        return request

    def call_of(self, function: str, args: Any, kwargs: Any, fresh: bool = False) -> bytes:
        """A call for a plan."""
        return dumps(self.request_of(function, args, kwargs, fresh))

    def call_with(self, request: Dict[str, Any], args: Any, kwargs: Any) -> Any:
        if self.write_back:
            request["wb"] = True
        reply = self.exchange(request)
        result = self.value_of(reply)
        if self.write_back:
            try:
                copies = self.decode(reply.get("wb"))
                for old, new in zip(args, copies[0]):
                    restore(old, new)
                for name, old in kwargs.items():
                    restore(old, copies[1].get(name))
            except (BadData, Unsupported, TypeError, KeyError, IndexError, AttributeError) as error:
                raise self.spoil("wrong_answer", "an argument came back as no plain data: %s" % error) from None
        return result

    # Errors

    def error_of(self, body: Any) -> BaseException:
        if type(body) is not dict:
            return self.spoil("runtime_error", "an error that cannot be read")
        mro = [name for name in body.get("m") or [] if type(name) is str]
        text = body.get("s") if type(body.get("s")) is str else ""
        trace = body.get("t") if type(body.get("t")) is str else ""
        if not mro or CONTROL & set(mro) or "builtins.Exception" not in mro:
            name = mro[0].split(".")[-1] if mro else "unknown"
            error: BaseException = self.spoil("runtime_error", "%s: %s" % (name, text) if text else name)
        else:
            cls = self.error_class(mro)
            args: Any = None
            try:
                args = self.decode(body.get("a"))
            except (BadData, Unsupported, RecursionError, TypeError):
                pass
            error = make_error(cls, tuple(args) if type(args) is list else (text,))
            self.add_attributes(error, body.get("d"))
        error._assay_trace = trace[:SENTENCE_MAX]  # type: ignore[attr-defined]
        return error

    def add_attributes(self, error: BaseException, body: Any) -> None:
        """What the candidate's class gave its error; nothing that the class of this side has a meaning for."""
        for pair in (body if type(body) is list else [])[:ATTRIBUTES_MAX]:
            if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str or not pair[0].isidentifier():
                continue
            name = pair[0]
            if name.startswith("_") or hasattr(type(error), name):
                continue
            try:
                setattr(error, name, self.decode(pair[1]))
            except (BadData, Unsupported, RecursionError, TypeError, AttributeError):
                pass

    def error_class(self, mro: List[Any]) -> type:
        """The class of this side for one of the candidate's with these ancestors, itself the first of them."""
        names = names_in(mro)
        first = names[0] if names else "CandidateException"
        short = first.split(".")[-1]
        if short in self.own_errors and not first.startswith("builtins."):
            return self.own_errors[short]
        known = known_error(first)
        if known is not None:
            return known
        if first not in self.errors:
            at, base = next(((at, cls) for at, cls in enumerate(map(known_error, names)) if cls), (0, CandidateError))
            self.errors[first] = base
            # Each of its own ancestors too, for a test may catch those.
            between = [self.error_class(self.ancestors.get(name, names[after:at + 1]))
                       for after, name in enumerate(names[1:at], 1)]
            self.errors[first] = derived(type, short, between, base) if at else CandidateError
        return self.errors[first]


def names_in(found: Any) -> List[str]:
    return [name for name in found if type(name) is str][:MRO_MAX] if type(found) is list else []


def derived(meta: type, name: str, bases: List[type], least: type) -> type:
    """A class with those bases as far as they go together, and with that one always."""
    own = list(dict.fromkeys(bases))
    for attempt in ([*own, least], own[:1], [least]):
        try:
            if attempt:
                cls: type = meta.__new__(meta, name, tuple(attempt), {})
                return cls
        except TypeError:
            continue
    return least


def place_of_builtin(value: Any) -> Optional[List[str]]:
    """Module and name of a function of the standard library's own, which is the same on either side."""
    if not isinstance(value, types.BuiltinFunctionType) or isinstance(value.__self__, type):
        return None
    module, name = value.__module__, value.__name__
    if module not in sys.stdlib_module_names and module != "builtins":
        return None
    return [module, name] if getattr(sys.modules.get(module), name, None) is value else None


def own_module(name: str) -> types.ModuleType:
    """A module of this side's; raises KeyError."""
    try:
        return importlib.import_module(ALIASES.get(name, name))
    except ImportError:
        raise KeyError(name) from None


def known_error(name: str) -> Optional[type]:
    module, _, short = name.rpartition(".")
    if name in CONTROL:
        return None
    if module == "builtins":
        cls = getattr(builtins, short, None)
    elif module in LIBRARIES:
        try:
            cls = getattr(importlib.import_module(module), short, None)
        except ImportError:
            return None
    else:
        return None
    return cls if isinstance(cls, type) and issubclass(cls, Exception) else None


def make_error(cls: type, args: Tuple[Any, ...]) -> BaseException:
    try:
        return cls(*args)
    except Exception:
        pass
    try:
        error = cls.__new__(cls)
        error.args = args
        return error
    except Exception:
        return CandidateError(cls.__name__)


def restore(old: Any, new: Any) -> None:
    """Makes an argument what the candidate left of it."""
    if type(old) is not type(new):
        return
    if isinstance(old, (list, bytearray)):
        old[:] = new
    elif isinstance(old, (dict, set)):
        old.clear()
        old.update(new)
    elif type(old).__name__ == "deque":
        old.clear()
        old.extend(new)
    elif hasattr(old, "__dict__"):
        old.__dict__.clear()
        old.__dict__.update(new.__dict__)


def sentence_of(error: BaseException) -> str:
    trace = getattr(error, "_assay_trace", "")
    if isinstance(trace, str) and trace:
        return trace.strip()[-SENTENCE_MAX:]
    try:
        text = str(error)
    except Exception:
        text = ""
    return ("%s: %s" % (type(error).__name__, text) if text else type(error).__name__)[:SENTENCE_MAX]


class Function:
    """A function of the candidate's. Its own parameters have no names, for a test may pass any."""

    def __init__(self, remote: Remote, name: str, fresh: bool = False) -> None:
        self.remote = remote
        self.name = name
        self.fresh = fresh
        self.__name__ = self.__qualname__ = name.split(".")[-1]

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.remote.call(self.name, args, kwargs, self.fresh)


class Iterator:
    """An iterator of the candidate's, pulled one item at a time."""

    ITEMS_MAX = 1_000_000

    def __init__(self, remote: Remote, number: int) -> None:
        self._remote = remote
        self._number = number
        self._pulled = 0

    def __iter__(self) -> "Iterator":
        return self

    def __next__(self) -> Any:
        return self.pull("next")

    def pull(self, operation: str) -> Any:
        self._pulled += 1
        if self._pulled > self.ITEMS_MAX:
            raise self._remote.spoil("wrong_answer", "an iterator without end")
        reply = self._remote.exchange({"op": operation, "n": self._number})
        if reply.get("end") is True:
            raise StopIteration
        return self._remote.value_of(reply)


async def awaited(remote: Remote, number: int) -> Any:
    """A coroutine of the candidate's, run over there when it is awaited, from beginning to end."""
    return remote.value_of(remote.exchange({"op": "await", "n": number}))


class AsyncIterator(Iterator):
    def __aiter__(self) -> "AsyncIterator":
        return self

    async def __anext__(self) -> Any:
        try:
            return self.pull("anext")
        except StopIteration:
            raise StopAsyncIteration from None


class Method:
    def __init__(self, remote: Remote, on: Any, name: str) -> None:
        self._remote, self._on, self.__name__ = remote, on, name

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        request = {"op": "method", "on": self._on, "name": self.__name__, "a": self._remote.arguments(args, kwargs)}
        return self._remote.call_with(request, args, kwargs)


def attribute(remote: Remote, on: Any, name: str) -> Any:
    reply = remote.exchange({"op": "attr", "on": on, "name": name})
    return Method(remote, on, name) if reply.get("meth") is True else remote.value_of(reply)


class HandleType(type):
    """A class of the candidate's: calling it makes an object over there."""

    _remote: Remote

    def __call__(cls, /, *args: Any, **kwargs: Any) -> Any:
        remote = type.__getattribute__(cls, "_remote")
        request = {"op": "new", "name": cls.__name__, "a": remote.arguments(args, kwargs)}
        number = number_of(remote.exchange(request).get("ok"))
        if number is None:
            raise remote.spoil("wrong_answer", "the class makes no object")
        remote.made.add(number)
        # The test asked for this class; what the other side calls it does not matter.
        return remote.object_of(number, cls.__name__, True)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return attribute(type.__getattribute__(cls, "_remote"), cls.__name__, name)


def number_of(body: Any) -> Optional[int]:
    """Of the object that an answer consists of."""
    value = body.get("v") if type(body) is dict else None
    pair = value.get("h") if type(value) is dict else None
    return pair[0] if type(pair) is list and len(pair) == 2 and type(pair[0]) is int else None


def special(name: str, *first: Any) -> Callable[..., Any]:
    def ask(self: Any, *args: Any) -> Any:
        remote = object.__getattribute__(self, "_remote")
        if remote.level < 2:
            raise remote.spoil("wrong_answer", "an object of the program's is used as a value (level 2 allows it)")
        request = {"op": "special", "name": name, "a": remote.encode([*first, self, *args])}
        return remote.value_of(remote.exchange(request))

    return ask


def checked(name: str, kind: type) -> Callable[..., Any]:
    ask = special(name)

    def ask_for_kind(self: Any) -> Any:
        value = ask(self)
        if type(value) is not kind:
            raise object.__getattribute__(self, "_remote").spoil("wrong_answer", "%s gives no %s" % (name, kind.__name__))
        return value

    return ask_for_kind


def operator_of(name: str, is_reflected: bool = False) -> Callable[..., Any]:
    """
    An operator of an object. One that the test did not make is compared and reckoned with objects only: `f(2) - 42` and
    `f(2) < 5` show it what it should be, and its own arithmetic would agree.
    """
    ask = special(name)

    def calculate(self: Any, *args: Any) -> Any:
        is_made = object.__getattribute__(self, "_is_made")
        if not is_made and not all(isinstance(each, Handle) for each in args):
            remote = object.__getattribute__(self, "_remote")
            raise remote.spoil("wrong_answer", "an object that the program returned is used as a number")
        value = special(name, args[0])(self) if is_reflected else ask(self, *args)
        if is_made and isinstance(value, Handle):
            object.__setattr__(value, "_is_made", True)
        return value

    return calculate


def copied(name: str) -> Callable[..., Any]:
    """A copy over there; one of what the test made is the test's as well."""

    def copy(self: Any, memo: Any = None) -> Any:
        remote = object.__getattribute__(self, "_remote")
        number = number_of(remote.exchange({"op": "copy", "name": name, "a": remote.encode(self)}).get("ok"))
        if number is None:
            raise remote.spoil("wrong_answer", "a copy is no object")
        is_made = object.__getattribute__(self, "_is_made")
        if is_made:
            remote.made.add(number)
        return remote.object_of(number, type(self).__name__, is_made)

    return copy


class Handle(metaclass=HandleType):
    """An object that stays with the candidate. It is equal to nothing but itself, below level 2 also to no other."""

    _remote: Remote
    _number: int
    _is_made: bool

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in PREDICATES and not object.__getattribute__(self, "_is_made"):
            remote = object.__getattribute__(self, "_remote")
            raise remote.spoil("wrong_answer", "an object that the program returned is asked for %s" % name)
        return attribute(object.__getattribute__(self, "_remote"), object.__getattribute__(self, "_number"), name)

    def __setattr__(self, name: str, value: Any) -> None:
        remote = object.__getattribute__(self, "_remote")
        number = object.__getattribute__(self, "_number")
        remote.exchange({"op": "set", "on": number, "name": name, "a": remote.encode(value)})

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Handle):
            return False
        remote = object.__getattribute__(self, "_remote")
        if object.__getattribute__(self, "_number") == object.__getattribute__(other, "_number"):
            return True
        return remote.level >= 2 and special("eq")(self, other) is True

    def __hash__(self) -> int:
        if object.__getattribute__(self, "_remote").level >= 2:
            # As its equality, so that sets and dictionaries work.
            return hash(checked("hash", int)(self))
        return hash(object.__getattribute__(self, "_number"))

    __len__ = checked("len", int)
    __bool__ = checked("bool", bool)
    __str__ = checked("str", str)
    __repr__ = checked("repr", str)
    __iter__ = special("iter")
    __getitem__ = special("getitem")
    __setitem__ = special("setitem")
    __delitem__ = special("delitem")
    __lt__, __le__, __gt__, __ge__ = operator_of("lt"), operator_of("le"), operator_of("gt"), operator_of("ge")
    __add__, __sub__, __mul__, __neg__ = operator_of("add"), operator_of("sub"), operator_of("mul"), operator_of("neg")
    __truediv__, __floordiv__, __mod__ = operator_of("truediv"), operator_of("floordiv"), operator_of("mod")
    __abs__, __pos__, __invert__ = operator_of("abs"), operator_of("pos"), operator_of("invert")
    __pow__, __matmul__ = operator_of("pow"), operator_of("matmul")
    __and__, __or__, __xor__ = operator_of("and_"), operator_of("or_"), operator_of("xor")
    __radd__, __rsub__, __rmul__ = operator_of("add", True), operator_of("sub", True), operator_of("mul", True)
    __rtruediv__, __rfloordiv__ = operator_of("truediv", True), operator_of("floordiv", True)
    __rmod__, __rpow__ = operator_of("mod", True), operator_of("pow", True)
    __enter__ = special("enter")
    __copy__, __deepcopy__ = copied("copy"), copied("deepcopy")

    def __contains__(self, item: Any) -> bool:
        # What was returned has to show what it holds before it hears what is looked for.
        if object.__getattribute__(self, "_is_made"):
            return bool(special("contains")(self, item))
        return any(each is item or each == item for each in iter(self))

    def __exit__(self, *exc: Any) -> None:
        special("exit")(self)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return special("call")(self, list(args), kwargs)


class CandidateModule(types.ModuleType):
    """The candidate's module as tests import it."""

    def __init__(self, name: str, remote: Callable[[], Remote], entries: List[str]) -> None:
        super().__init__(name)
        self.__dict__["_assay"] = (remote, entries)

    def __getattr__(self, name: str) -> Any:
        remote, entries = self.__dict__["_assay"]
        if name == "__all__":
            # What the importing file has by now, and what a test calls by a built-in's or a module's name, stays what it
            # is, unless it is what is tested.
            taken = dict.keys(sys._getframe(1).f_globals) - remote().stubs
            return [n for n in remote().names if not n.startswith("_") and (n in entries or remote().is_free(n, taken))]
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return remote().demand(name)
        except KeyError:
            raise AttributeError("module %r has no attribute %r" % (self.__name__, name)) from None
