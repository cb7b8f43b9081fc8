"""The untrusted side: loads the candidate's module and answers calls with plain data.

It holds no test and no expected value. Whatever the candidate does to this process changes only what it answers, and an
answer is data that the other side checks. Files beside it: `solution.json` names the candidate's file.
"""

from __future__ import annotations

import _thread
import io
import json
import os
import random
import sys
import traceback
import types
from typing import Any, Callable, Dict, List, Optional

from assay_channel import Channel, Closed, take_streams
from assay_codec import BadData, Decoder, Encoder, Hooks, Unsupported, dumps, loads

MODULE = "solution"
CAPTURE_MAX = 64 << 10
TRACE_MAX = 4000
ATTRIBUTES_MAX = 32
NAMES_MAX = 10_000


class Capture(io.RawIOBase):
    """What Python code prints: kept for the answer of the call up to a bound, beyond it written to the run's stderr."""

    def __init__(self) -> None:
        self.kept = bytearray()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        room = CAPTURE_MAX - len(self.kept)
        self.kept += view[:room] if room > 0 else b""
        if room < len(view):
            os.write(2, view[max(room, 0):])
        return len(view)

    def take(self) -> str:
        text = self.kept.decode("utf-8", "replace")
        self.kept.clear()
        return text


class Stub:
    """A function of the other side, to be called by the candidate."""

    def __init__(self, server: "Server", number: int) -> None:
        self._call = lambda args, kwargs: server.call_back(number, args, kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(args, kwargs)


class Server(Hooks):
    def __init__(self, channel: Channel, capture: Capture, printed: io.TextIOWrapper) -> None:
        super().__init__()
        self.channel = channel
        self.capture = capture
        self.printed = printed
        self.module = types.ModuleType(MODULE)
        self.level = 0
        self.objects: List[Any] = []
        self.numbers: Dict[int, int] = {}
        self.iterators: List[Any] = []
        self.loop: Any = None
        # Calls back come from any thread of the candidate's.
        self.lock = _thread.RLock()
        self.entries: Dict[str, Any] = {}
        self.is_loaded = False

    # Loading

    def load(self, path: str, prompt: Optional[str]) -> Dict[str, Any]:
        names = self.module.__dict__
        sys.modules[MODULE] = self.module
        self.module.__file__ = path
        if prompt:
            try:
                exec(compile(prompt, "<prompt>", "exec", dont_inherit=True), names)
            except BaseException:
                pass
        self.prompt_names = set(names)
        with open(path, "rb") as file:
            source = file.read()
        exec(compile(source, path, "exec", dont_inherit=True), names)
        return {"names": self.describe(names)}

    def describe(self, names: Dict[str, Any]) -> Dict[str, Any]:
        found: Dict[str, Any] = {}
        for name, value in list(names.items())[:NAMES_MAX]:
            if name.startswith("__") or not isinstance(name, str):
                continue
            if isinstance(value, types.ModuleType):
                found[name] = ["m", value.__name__]
            elif isinstance(value, type) and issubclass(value, BaseException):
                found[name] = ["x", mro_of(value)]
            elif isinstance(value, type):
                found[name] = ["c", [b.__name__ for b in value.__bases__ if names.get(b.__name__) is b]]
            else:
                found[name] = ["f" if callable(value) else "v", None]
        return found

    # What does not travel

    def outside(self, value: Any) -> Any:
        number = self.numbers.get(id(value))
        if number is not None:
            return {"h": [number, type(value).__name__]}
        if self.level >= 1 and hasattr(type(value), "__next__"):
            self.iterators.append(value)
            return {"it": len(self.iterators) - 1}
        if self.level >= 1 and (isinstance(value, types.CoroutineType) or hasattr(type(value), "__anext__")):
            self.iterators.append(value)
            return {"co" if isinstance(value, types.CoroutineType) else "ai": len(self.iterators) - 1}
        if self.level < 2:
            raise Unsupported("a %s is no plain data" % type(value).__name__)
        return self.handle(value)

    def handle(self, value: Any) -> Any:
        number = self.numbers.setdefault(id(value), len(self.objects))
        if number == len(self.objects):
            self.objects.append(value)
        return {"h": [number, type(value).__name__]}

    def inside(self, tag: str, body: Any) -> Any:
        if tag == "h":
            return self.objects[body]
        if tag == "cb":
            return Stub(self, body)
        if tag == "k":
            return getattr(self.module, body)
        if tag == "bf":
            return getattr(sys.modules.get(body[0]) or __import__(body[0]), body[1])
        raise BadData("unknown tag")

    def encode(self, value: Any) -> Any:
        return Encoder(self).document(value)

    def decode(self, body: Any) -> Any:
        return Decoder(self).document(body)

    # Serving

    def serve(self) -> None:
        while True:
            request = loads(self.channel.receive())
            if request["op"] == "ahead":
                self.answer_ahead(request["i"], request["calls"])
            else:
                self.answer(request)

    def answer_ahead(self, first: int, calls: List[Dict[str, Any]]) -> None:
        """Calls that are sure to come, in their order, until one leaves something here that the next could disturb."""
        if not self.is_loaded:
            return
        for at, call in enumerate(calls):
            if self.answer({"op": "call", "i": first + at, "alone": True, **call}):
                return

    def answer(self, request: Dict[str, Any]) -> bool:
        """Whether anything new stays here."""
        reply: Dict[str, Any] = {"i": request["i"]}
        kept = len(self.objects), len(self.iterators)
        try:
            reply["ok"] = OPERATIONS[request["op"]](self, request, reply)
        except Closed:
            raise
        except Unsupported as error:
            reply.pop("ok", None)
            reply["un"] = str(error)
        except BaseException as error:
            reply.pop("ok", None)
            reply["er"] = self.describe_error(error)
        try:
            self.printed.flush()
        except BaseException:
            pass
        if self.capture.kept:
            reply["out"] = self.capture.take()
        is_kept = kept != (len(self.objects), len(self.iterators))
        if is_kept and request.get("alone"):
            reply["last"] = True
        self.channel.send(dumps(reply))
        return is_kept

    def describe_error(self, error: BaseException) -> Dict[str, Any]:
        cls = type(error)
        try:
            args = self.encode(list(error.args))
        except BaseException:
            args = None
        try:
            text = str(error)[:TRACE_MAX]
        except BaseException:
            text = ""
        trace = "".join(traceback.format_exception_only(cls, error))[-TRACE_MAX:] if isinstance(error, SyntaxError) else ""
        return {"m": mro_of(cls), "a": args, "s": text, "t": trace or trace_of(error), "d": self.attributes_of(error)}

    def attributes_of(self, error: BaseException) -> List[Any]:
        found = []
        try:
            for name, value in list(vars(error).items())[:ATTRIBUTES_MAX]:
                try:
                    found.append([name, self.encode(value)])
                except Unsupported:
                    pass
        except BaseException:
            pass
        return found

    def run_async(self, coroutine: Any) -> Any:
        """One loop for all, since locks and queues belong to the loop that they met first."""
        import asyncio

        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        return self.loop.run_until_complete(coroutine)

    def call_back(self, number: int, args: Any, kwargs: Any) -> Any:
        with self.lock:
            self.channel.send(dumps({"cb": number, "a": self.encode([list(args), kwargs])}))
            answer = loads(self.channel.receive())
        if "er" in answer:
            raise RuntimeError(answer["er"])
        return self.decode(answer["ok"])

    def entry(self, expression: str, fresh: bool) -> Any:
        """The callable that an entry names, `f`, `Class.method` or `Class().method`; one instance unless asked for anew."""
        if fresh or expression not in self.entries:
            value: Any = self.module
            for step in expression.split("."):
                name = step[:-2] if step.endswith("()") else step
                value = getattr(value, name)
                if step.endswith("()"):
                    value = value()
            self.entries[expression] = value
        return self.entries[expression]


def mro_of(cls: type) -> List[str]:
    return ["%s.%s" % (each.__module__, each.__qualname__) for each in cls.__mro__][:20]


def trace_of(error: BaseException) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<assay")]
    try:
        last = "".join(traceback.format_exception_only(type(error), error))
    except BaseException:
        last = type(error).__name__
    return ("".join(traceback.format_list(frames[-8:])) + last)[-TRACE_MAX:]


def do_setup(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    server.level = request["level"]
    with open("solution.json", encoding="utf-8") as file:
        path = json.load(file)["path"]
    found = server.load(os.path.join(os.getcwd(), path), request.get("prompt"))
    for kind, known in ("records", server.records), ("enums", server.enums):
        for name in request.get(kind, []):
            cls = getattr(server.module, name, None)
            if isinstance(cls, type):
                known[name] = cls
    server.is_loaded = True
    return found


def do_call(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    args, kwargs = server.decode(request["a"])
    function = server.entry(request["fn"], request.get("fresh", False))
    result = function(*args, **kwargs)
    answer = server.encode(result)
    if request.get("wb"):
        reply["wb"] = server.encode([list(args), kwargs])
    return answer


def do_get(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    return server.encode(getattr(server.module, request["name"]))


def do_new(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    args, kwargs = server.decode(request["a"])
    return {"v": server.handle(getattr(server.module, request["name"])(*args, **kwargs))}


def target_of(server: Server, request: Dict[str, Any]) -> Any:
    on = request["on"]
    return getattr(server.module, on) if isinstance(on, str) else server.objects[on]


def do_attribute(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    value = getattr(target_of(server, request), request["name"])
    if isinstance(value, (types.MethodType, types.BuiltinMethodType, types.FunctionType)):
        reply["meth"] = True
        return None
    return server.encode(value)


def do_assign(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    setattr(target_of(server, request), request["name"], server.decode(request["a"]))
    return None


def do_method(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    args, kwargs = server.decode(request["a"])
    method = getattr(target_of(server, request), request["name"])
    result = method(*args, **kwargs)
    if request.get("wb"):
        reply["wb"] = server.encode([list(args), kwargs])
    return server.encode(result)


def do_special(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    import operator

    args = server.decode(request["a"])
    name = request["name"]
    table: Dict[str, Callable[..., Any]] = {
        "len": len, "hash": hash, "bool": bool, "str": str, "repr": repr, "iter": iter, "call": lambda f, a, k: f(*a, **k),
        "enter": lambda x: type(x).__enter__(x), "exit": lambda x: type(x).__exit__(x, None, None, None),
    }
    return server.encode(table.get(name, getattr(operator, name, None))(*args))


def do_copy(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    import copy

    return {"v": server.handle(getattr(copy, request["name"])(server.decode(request["a"])))}


def do_next(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    try:
        return server.encode(next(server.iterators[request["n"]]))
    except StopIteration:
        reply["end"] = True
        return None


def do_await(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    return server.encode(server.run_async(server.iterators[request["n"]]))


def do_async_next(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    async def step() -> Any:
        return await server.iterators[request["n"]].__anext__()

    try:
        return server.encode(server.run_async(step()))
    except StopAsyncIteration:
        reply["end"] = True
        return None


def do_seed(server: Server, request: Dict[str, Any], reply: Dict[str, Any]) -> Any:
    args = server.decode(request["a"])
    if request["name"] == "random":
        random.seed(*args)
    elif "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(*args)
    return None


OPERATIONS: Dict[str, Callable[[Server, Dict[str, Any], Dict[str, Any]], Any]] = {
    "setup": do_setup, "call": do_call, "get": do_get, "new": do_new, "attr": do_attribute, "set": do_assign,
    "method": do_method, "special": do_special, "next": do_next, "seed": do_seed,
    "copy": do_copy, "await": do_await, "anext": do_async_next,
}


def main() -> None:
    reader, writer = take_streams()
    channel = Channel(reader, writer)
    # A child of the candidate's has no part in the conversation.
    os.register_at_fork(after_in_child=lambda: (os.close(reader), os.close(writer)))
    capture = Capture()
    printed = io.TextIOWrapper(io.BufferedWriter(capture, 1 << 16), encoding="utf-8", write_through=False)
    sys.stdout = printed
    sys.stdin = open(0, encoding="utf-8")
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        Server(channel, capture, printed).serve()
    except Closed:
        pass
    finally:
        os._exit(0)
