"""Plain data between two processes of which one trusts nothing that the other sends.

A value becomes JSON: what JSON says exactly (null, booleans, text, small integers, floats, lists) is itself, everything
else an object with one key that names the type. The decoder builds the types of its own table and nothing that the
sender merely names; subclasses of built-in types are flattened by the encoder. It knows no tests and no channel.
"""

from __future__ import annotations

import binascii
import collections
import datetime
import decimal
import enum
import fractions
import importlib
import json
import re
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

DEPTH_MAX = 200
ITEMS_MAX = 20_000_000
SMALL = 1 << 63
ELLIPSIS_TYPE = type(...)


class Unsupported(Exception):
    """A value that is no plain data."""


class BadData(Exception):
    """What was received is not what an encoder writes."""


TYPES: Dict[str, type] = {
    t.__name__: t
    for t in (bool, int, float, complex, str, bytes, bytearray, list, tuple, set, frozenset, dict, range, object,
              type(None), slice, type)
}
FACTORIES: Dict[str, Optional[type]] = {"": None, **{n: TYPES[n] for n in ("int", "float", "str", "list", "dict", "set", "tuple", "bool")}}


# Types whose values are their texts; their modules are loaded when one comes.
TEXTUAL = {("uuid", "UUID"), ("pathlib", "PosixPath"), ("pathlib", "PurePosixPath"), ("ipaddress", "IPv4Address"),
           ("ipaddress", "IPv6Address"), ("ipaddress", "IPv4Network"), ("ipaddress", "IPv6Network")}


class Hooks:
    """What a side knows beyond plain data: record and enum classes by name, and objects that stay where they are."""

    def __init__(self) -> None:
        self.records: Dict[str, type] = {}
        self.enums: Dict[str, type] = {}

    def record_name(self, cls: type) -> Optional[str]:
        name = cls.__name__
        return name if self.records.get(name) is cls else None

    def outside(self, value: Any) -> Any:
        """The JSON of an object that does not travel; raises Unsupported."""
        raise Unsupported("a %s is no plain data" % type(value).__name__)

    def inside(self, tag: str, body: Any) -> Any:
        """The reverse of `outside`."""
        raise BadData("unknown tag")


class Encoder:
    def __init__(self, hooks: Hooks) -> None:
        self.hooks = hooks
        self.table: List[Any] = []
        self.pending: List[Any] = []
        self.seen: Dict[int, int] = {}

    def document(self, value: Any) -> Dict[str, Any]:
        """The value with the records that it reaches; their references may form cycles."""
        try:
            return self.whole(value)
        except RecursionError:
            raise Unsupported("a value nested too deep") from None

    def whole(self, value: Any) -> Dict[str, Any]:
        body = self.encode(value, 0)
        done = 0
        while done < len(self.pending):
            record = self.pending[done]
            done += 1
            fields = [[name, self.encode(field, 0)] for name, field in fields_of(record)]
            self.table.append([self.hooks.record_name(type(record)), fields])
        return {"v": body, "r": self.table} if self.table else {"v": body}

    def encode(self, value: Any, depth: int) -> Any:
        cls = type(value)
        if value is None or cls is str or cls is bool or cls is float:
            return value
        if cls is int:
            return value if -SMALL < value < SMALL else {"i": "%x" % value}
        if depth > DEPTH_MAX:
            raise Unsupported("a value nested more than %d deep" % DEPTH_MAX)
        if cls is list:
            return self.many(value, depth)
        encode = ENCODERS.get(cls)
        if encode is not None:
            return encode(self, value, depth + 1)
        return self.unusual(value, cls, depth + 1)

    def many(self, values: Any, depth: int) -> List[Any]:
        depth += 1
        encode = self.encode
        return [encode(item, depth) for item in values]

    def pairs(self, value: Any, depth: int) -> List[Any]:
        flat: List[Any] = []
        for key, item in dict.items(value):
            flat.append(self.encode(key, depth))
            flat.append(self.encode(item, depth))
        return flat

    def unusual(self, value: Any, cls: type, depth: int) -> Any:
        if self.hooks.record_name(cls) is not None:
            index = self.seen.get(id(value))
            if index is None:
                index = self.seen[id(value)] = len(self.pending)
                self.pending.append(value)
            return {"R": index}
        if isinstance(value, enum.Enum) and self.hooks.enums.get(cls.__name__) is cls:
            return {"E": [cls.__name__, value.name]}
        if isinstance(value, type):
            if TYPES.get(value.__name__) is value:
                return {"T": value.__name__}
            return self.hooks.outside(value)
        scientific = encode_scientific(self, value, cls, depth)
        if scientific is not None:
            return scientific
        for base, flatten in FLATTENED:
            if isinstance(value, base):
                return self.encode(flatten(value), depth)
        module = cls.__module__.split(".")[0] if isinstance(cls.__module__, str) else ""
        if (module, cls.__name__) in TEXTUAL:
            return {"st": [module, cls.__name__, str(value)]}
        return self.hooks.outside(value)


def text_of(data: Any) -> str:
    return binascii.b2a_base64(data, newline=False).decode()


def bytes_of(text: Any) -> bytes:
    if type(text) is not str:
        raise BadData("no bytes")
    return binascii.a2b_base64(text)


def fields_of(record: Any) -> List[Tuple[str, Any]]:
    found: Dict[str, Any] = {}
    for cls in type(record).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(record, name):
                found[name] = getattr(record, name)
    found.update(getattr(record, "__dict__", {}))
    return [(name, item) for name, item in found.items() if isinstance(name, str) and not name.startswith("__")]


def offset_of(value: Any) -> Any:
    zone = value.utcoffset() if value.tzinfo is not None else None
    return None if zone is None else [zone.days, zone.seconds, zone.microseconds]


ENCODERS: Dict[type, Callable[[Encoder, Any, int], Any]] = {
    tuple: lambda e, v, d: {"t": e.many(v, d)},
    dict: lambda e, v, d: {"d": e.pairs(v, d)},
    set: lambda e, v, d: {"s": e.many(v, d)},
    frozenset: lambda e, v, d: {"f": e.many(v, d)},
    bytes: lambda e, v, d: {"b": text_of(v)},
    bytearray: lambda e, v, d: {"ba": text_of(bytes(v))},
    complex: lambda e, v, d: {"c": [v.real, v.imag]},
    ELLIPSIS_TYPE: lambda e, v, d: {"e": 0},
    range: lambda e, v, d: {"r": [e.encode(n, d) for n in (v.start, v.stop, v.step)]},
    decimal.Decimal: lambda e, v, d: {"D": str(v)},
    fractions.Fraction: lambda e, v, d: {"F": [e.encode(v.numerator, d), e.encode(v.denominator, d)]},
    datetime.timedelta: lambda e, v, d: {"td": [v.days, v.seconds, v.microseconds]},
    datetime.date: lambda e, v, d: {"da": [v.year, v.month, v.day]},
    datetime.time: lambda e, v, d: {"ti": [v.hour, v.minute, v.second, v.microsecond, v.fold, offset_of(v)]},
    datetime.datetime: lambda e, v, d: {
        "dt": [v.year, v.month, v.day, v.hour, v.minute, v.second, v.microsecond, v.fold, offset_of(v)]},
    datetime.timezone: lambda e, v, d: {"tz": ENCODERS[datetime.timedelta](e, v.utcoffset(None), d)["td"]},
    collections.deque: lambda e, v, d: {"q": [e.many(v, d), v.maxlen]},
    collections.Counter: lambda e, v, d: {"C": e.pairs(v, d)},
    collections.OrderedDict: lambda e, v, d: {"O": e.pairs(v, d)},
    collections.defaultdict: lambda e, v, d: {"dd": [factory_name(v.default_factory), e.pairs(v, d)]},
}


def factory_name(factory: Any) -> str:
    return next((name for name, known in FACTORIES.items() if known is factory), "")


# In this order: what a value is first counts.
FLATTENED: List[Tuple[type, Callable[[Any], Any]]] = [
    (int, int.__int__),
    (float, float.__float__),
    (complex, lambda v: complex(v.real, v.imag)),
    (str, str.__str__),
    (bytes, lambda v: bytes(memoryview(v))),
    (bytearray, lambda v: bytearray(memoryview(v))),
    (tuple, lambda v: tuple(tuple.__iter__(v))),
    (list, lambda v: list(list.__iter__(v))),
    (collections.Counter, lambda v: collections.Counter(dict(dict.items(v)))),
    (collections.OrderedDict, lambda v: collections.OrderedDict(dict.items(v))),
    (dict, lambda v: dict(dict.items(v))),
    (set, lambda v: set(set.__iter__(v))),
    (frozenset, lambda v: frozenset(frozenset.__iter__(v))),
    (collections.deque, lambda v: collections.deque(collections.deque.__iter__(v), v.maxlen)),
    (datetime.datetime, lambda v: datetime.datetime.combine(v.date(), v.timetz())),
    (type({}.keys()), list),
    (type({}.values()), list),
    (type({}.items()), list),
    (memoryview, bytes),
]


class Decoder:
    def __init__(self, hooks: Hooks) -> None:
        self.hooks = hooks
        self.records: List[Any] = []
        self.items = 0

    def document(self, body: Any) -> Any:
        if type(body) is not dict or "v" not in body:
            raise BadData("no document")
        table = body.get("r", [])
        if type(table) is not list:
            raise BadData("records")
        for row in table:
            cls = self.hooks.records.get(row[0]) if type(row) is list and len(row) == 2 and type(row[0]) is str else None
            if cls is None:
                raise BadData("a record of no known class")
            self.records.append(object.__new__(cls))
        for record, (_, fields) in zip(self.records, table):
            self.fill(record, fields)
        return self.decode(body["v"], 0)

    def fill(self, record: Any, fields: Any) -> None:
        for name, value in expect_list(fields):
            if type(name) is not str or not name.isidentifier() or name.startswith("__"):
                raise BadData("a field of a record")
            if callable(getattr(type(record), name, None)):
                raise BadData("a field in the place of a method")
            try:
                object.__setattr__(record, name, self.decode(value, 0))
            except AttributeError:
                raise BadData("a field that the record does not have") from None

    def decode(self, body: Any, depth: int) -> Any:
        cls = type(body)
        if cls is list:
            return self.many(body, depth)
        if cls is not dict:
            return body
        if depth > DEPTH_MAX:
            raise BadData("nested too deep")
        if len(body) != 1:
            raise BadData("a tag is one key")
        (tag, inner), = body.items()
        build = DECODERS.get(tag)
        if build is None:
            return self.hooks.inside(tag, inner)
        try:
            return build(self, inner, depth + 1)
        except (BadData, Unsupported):
            raise
        except (TypeError, ValueError, KeyError, IndexError, ArithmeticError, AttributeError, OverflowError) as error:
            raise BadData("%s: %s" % (tag, type(error).__name__)) from None

    def many(self, body: Any, depth: int) -> List[Any]:
        if depth > DEPTH_MAX:
            raise BadData("nested too deep")
        depth += 1
        self.items += len(body)
        if self.items > ITEMS_MAX:
            raise BadData("too many items")
        decode = self.decode
        return [item if type(item) in PLAIN else decode(item, depth) for item in body]

    def pairs(self, body: Any, depth: int) -> List[Tuple[Any, Any]]:
        flat = self.many(expect_list(body), depth)
        if len(flat) % 2:
            raise BadData("half a pair")
        return list(zip(flat[::2], flat[1::2]))

    def integer(self, body: Any) -> int:
        value = self.decode(body, 0)
        if type(value) is not int:
            raise BadData("no integer")
        return value


PLAIN = frozenset((type(None), bool, int, float, str))


def expect_list(body: Any) -> List[Any]:
    if type(body) is not list:
        raise BadData("no list")
    return body


def zone(body: Any) -> Any:
    return None if body is None else datetime.timezone(datetime.timedelta(*body))


def hex_integer(text: Any) -> int:
    if type(text) is not str or not re.fullmatch(r"-?[0-9a-f]+", text):
        raise BadData("no integer")
    return int(text, 16)


DECODERS: Dict[str, Callable[[Decoder, Any, int], Any]] = {
    "i": lambda c, b, d: hex_integer(b),
    "t": lambda c, b, d: tuple(c.many(expect_list(b), d)),
    "d": lambda c, b, d: dict(c.pairs(b, d)),
    "s": lambda c, b, d: set(c.many(expect_list(b), d)),
    "f": lambda c, b, d: frozenset(c.many(expect_list(b), d)),
    "b": lambda c, b, d: bytes_of(b),
    "ba": lambda c, b, d: bytearray(bytes_of(b)),
    "c": lambda c, b, d: complex(float(b[0]), float(b[1])),
    "e": lambda c, b, d: ...,
    "r": lambda c, b, d: range(*(c.integer(n) for n in expect_list(b))),
    "D": lambda c, b, d: decimal.Decimal(b),
    "F": lambda c, b, d: fractions.Fraction(c.integer(b[0]), c.integer(b[1])),
    "td": lambda c, b, d: datetime.timedelta(*b),
    "da": lambda c, b, d: datetime.date(*b),
    "ti": lambda c, b, d: datetime.time(*b[:4], fold=b[4], tzinfo=zone(b[5])),
    "dt": lambda c, b, d: datetime.datetime(*b[:7], fold=b[7], tzinfo=zone(b[8])),
    "tz": lambda c, b, d: zone(b),
    "q": lambda c, b, d: collections.deque(c.many(expect_list(b[0]), d), b[1]),
    "C": lambda c, b, d: collections.Counter(dict(c.pairs(b, d))),
    "O": lambda c, b, d: collections.OrderedDict(c.pairs(b, d)),
    "dd": lambda c, b, d: collections.defaultdict(FACTORIES[b[0]], c.pairs(b[1], d)),
    "T": lambda c, b, d: TYPES[b],
    "st": lambda c, b, d: textual_of(b),
    "R": lambda c, b, d: c.records[nonnegative(b)],
    "E": lambda c, b, d: c.hooks.enums[b[0]][b[1]],
    "na": lambda c, b, d: array_of(c, b, d),
    "ns": lambda c, b, d: array_of(c, [b[0], [1], b[1]], d)[0],
    "no": lambda c, b, d: object_array_of(c, b, d),
    "px": lambda c, b, d: index_of(c, b, d),
    "pr": lambda c, b, d: pandas().RangeIndex(*b[:3], name=c.decode(b[3], d)),
    "pm": lambda c, b, d: pandas().MultiIndex.from_tuples(c.many(expect_list(b[0]), d), names=c.many(expect_list(b[1]), d)),
    "ps": lambda c, b, d: series_of(c, b, d),
    "pf": lambda c, b, d: frame_of(c, b, d),
    "pt": lambda c, b, d: pandas().Timestamp(c.integer(b[0]), unit="ns", tz=b[1]),
    "pd": lambda c, b, d: pandas().Timedelta(c.integer(b), unit="ns"),
    "pn": lambda c, b, d: pandas().NaT,
    "pa": lambda c, b, d: pandas().NA,
    "pc": lambda c, b, d: categorical_of(c, b, d),
}


def textual_of(body: Any) -> Any:
    module, name, text = expect_list(body)
    if (module, name) not in TEXTUAL or type(text) is not str:
        raise BadData("a type of text")
    return getattr(importlib.import_module(module), name)(text)


def nonnegative(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise BadData("a reference")
    return number


# numpy and pandas: only where this process or its peer has them.

DTYPE = re.compile(r"[<>|=][biufcUSMm][0-9]+(\[[0-9]*[A-Za-z]+\])?")


def loaded(name: str) -> Any:
    return sys.modules.get(name)


def numpy() -> Any:
    try:
        import numpy as module
    except ImportError:
        raise BadData("there is no numpy here") from None
    return module


def pandas() -> Any:
    try:
        import pandas as module
    except ImportError:
        raise BadData("there is no pandas here") from None
    return module


def encode_scientific(e: Encoder, value: Any, cls: type, depth: int) -> Any:
    np, pd = loaded("numpy"), loaded("pandas")
    if np is not None:
        if isinstance(value, np.ndarray) and not isinstance(value, getattr(np.ma, "MaskedArray", ())):
            return encode_array(e, np.asarray(value), depth)
        if isinstance(value, np.generic) and value.dtype.kind in "biufcUSMm":
            return {"ns": [value.dtype.str, text_of(np.asarray(value).tobytes())]}
    if pd is not None and cls.__module__.split(".")[0] == "pandas":
        return encode_pandas(e, pd, value, depth)
    return None


def encode_array(e: Encoder, array: Any, depth: int) -> Any:
    if array.dtype.kind == "O":
        return {"no": [list(array.shape), e.many(array.ravel().tolist(), depth)]}
    if not DTYPE.fullmatch(array.dtype.str):
        raise Unsupported("an array of %s" % array.dtype)
    return {"na": [array.dtype.str, list(array.shape), text_of(array.tobytes())]}


def array_of(c: Decoder, body: Any, depth: int) -> Any:
    np = numpy()
    dtype, shape, data = body
    if type(dtype) is not str or not DTYPE.fullmatch(dtype):
        raise BadData("an array's type")
    flat = np.frombuffer(bytes_of(data), dtype=np.dtype(dtype))
    return flat.reshape([nonnegative(n) for n in expect_list(shape)]).copy()


def object_array_of(c: Decoder, body: Any, depth: int) -> Any:
    np = numpy()
    shape, items = body
    values = c.many(expect_list(items), depth)
    flat = np.empty(len(values), dtype=object)
    for at, item in enumerate(values):
        flat[at] = item
    return flat.reshape([nonnegative(n) for n in expect_list(shape)])


def encode_values(e: Encoder, pd: Any, values: Any, depth: int) -> Any:
    """Values of a series or an index: an array, or a list with the name of its extension type."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        return encode_pandas(e, pd, pd.Categorical(values), depth)
    kind = getattr(values.dtype, "kind", "O")
    if isinstance(values.dtype, loaded("numpy").dtype) and kind != "O":
        return encode_array(e, values.to_numpy(), depth)
    return {"t": [str(values.dtype), e.many(list(values), depth)]}


def encode_pandas(e: Encoder, pd: Any, value: Any, depth: int) -> Any:
    depth += 1
    if value is pd.NaT:
        return {"pn": 0}
    if value is pd.NA:
        return {"pa": 0}
    if isinstance(value, pd.Timestamp):
        return {"pt": [e.encode(value.as_unit("ns").value, depth), None if value.tz is None else str(value.tz)]}
    if isinstance(value, pd.Timedelta):
        return {"pd": e.encode(value.as_unit("ns").value, depth)}
    if isinstance(value, pd.Categorical):
        return {"pc": [e.encode(value.codes.tolist(), depth), e.encode(value.categories, depth), bool(value.ordered)]}
    if isinstance(value, pd.RangeIndex):
        return {"pr": [value.start, value.stop, value.step, e.encode(value.name, depth)]}
    if isinstance(value, pd.MultiIndex):
        return {"pm": [e.many(value.tolist(), depth), e.many(list(value.names), depth)]}
    if isinstance(value, pd.Index):
        return {"px": [encode_values(e, pd, value, depth), e.encode(value.name, depth)]}
    if isinstance(value, pd.Series):
        return {"ps": [encode_values(e, pd, value, depth), e.encode(value.index, depth), e.encode(value.name, depth)]}
    if isinstance(value, pd.DataFrame):
        columns = [encode_values(e, pd, value.iloc[:, at], depth) for at in range(value.shape[1])]
        return {"pf": [columns, e.encode(value.columns, depth), e.encode(value.index, depth)]}
    return None


def values_of(c: Decoder, body: Any, depth: int) -> Tuple[Any, Optional[str]]:
    if type(body) is dict and "t" in body:
        name, items = body["t"]
        if type(name) is not str or not re.fullmatch(r"[A-Za-z0-9_\[\]/, +:-]{1,64}", name):
            raise BadData("a type of values")
        return c.many(expect_list(items), depth), name
    return c.decode(body, depth), None


def index_of(c: Decoder, body: Any, depth: int) -> Any:
    values, dtype = values_of(c, body[0], depth)
    return pandas().Index(values, dtype=dtype, name=c.decode(body[1], depth), tupleize_cols=False)


def series_of(c: Decoder, body: Any, depth: int) -> Any:
    values, dtype = values_of(c, body[0], depth)
    return pandas().Series(values, dtype=dtype, index=c.decode(body[1], depth), name=c.decode(body[2], depth))


def frame_of(c: Decoder, body: Any, depth: int) -> Any:
    pd = pandas()
    columns, names, index = expect_list(body[0]), c.decode(body[1], depth), c.decode(body[2], depth)
    series = []
    for column in columns:
        values, dtype = values_of(c, column, depth)
        series.append(pd.Series(values, dtype=dtype, index=index))
    if not series:
        return pd.DataFrame(index=index, columns=names)
    frame = pd.concat(series, axis=1)
    frame.columns = names
    return frame


def categorical_of(c: Decoder, body: Any, depth: int) -> Any:
    codes = [int(n) for n in expect_list(body[0])]
    return pandas().Categorical.from_codes(codes, categories=c.decode(body[1], depth), ordered=body[2] is True)


def dumps(body: Any) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()


def loads(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadData("no JSON: %s" % type(error).__name__) from None
