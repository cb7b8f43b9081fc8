"""HTTP by the standard library: one request, tried again while that helps and may be. Knows no endpoint."""

from __future__ import annotations

import http.client
import json
import random
import socket
import ssl
import threading
import time
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from .errors import AssayRefused, AssayUnavailable

# What the service says when the same request may succeed later. Nothing of such a request was judged.
RETRYABLE = frozenset({408, 429, 502, 503, 504})
_PAUSE_FIRST_S = 0.25
_PAUSE_MAX_S = 30.0
_PROBLEM_BYTES_MAX = 1024 * 1024

Sleep = Callable[[float], None]


class Transport:
    """Sends requests to one service. Safe to use from several threads: each request has a connection of its own."""

    def __init__(
        self,
        url: str,
        *,
        timeout_s: float,
        retries: int,
        retry_total_s: float,
        headers: Optional[Mapping[str, str]] = None,
        sleep: Sleep = time.sleep,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError("not an http URL")
        if retries < 0 or retry_total_s < 0 or timeout_s <= 0:
            raise ValueError("retries and retry_total_s are not negative, timeout_s is positive")
        # http://KEY@HOST carries the key of a tenant, which belongs into no message.
        key = parts.password or parts.username
        self._parts = parts._replace(netloc=parts.netloc.rpartition("@")[2])
        self._timeout_s = timeout_s
        self._retries = retries
        self._retry_total_s = retry_total_s
        self._headers = {**({"Authorization": f"Bearer {key}"} if key else {}), **(headers or {})}
        self._sleep = sleep
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._random = random.Random()
        self._lock = threading.Lock()

    def json(self, path: str, body: Any) -> Any:
        """The JSON that answers; raises AssayRefused, or AssayUnavailable once there is no use in trying."""

        def read(response: http.client.HTTPResponse) -> Any:
            return json.loads(response.read())

        return self._patiently(path, body, "application/json", read)

    def lines(self, path: str, body: Any) -> Iterator[Any]:
        """The lines of an answer as they come. Only its beginning is tried again: what was judged is not judged twice."""
        connection, response = self._patiently(path, body, "application/x-ndjson", None)
        try:
            while True:
                line = response.readline()
                if not line:
                    return
                if not line.endswith(b"\n"):
                    raise AssayUnavailable("the answer was cut off")
                yield json.loads(line)
        except (OSError, http.client.HTTPException) as error:
            raise AssayUnavailable(f"the answer was cut off: {error}") from error
        finally:
            response.close()
            connection.close()

    def _patiently(
        self,
        path: str,
        body: Any,
        accept: str,
        read: Optional[Callable[[http.client.HTTPResponse], Any]],
    ) -> Any:
        data = json.dumps(body, ensure_ascii=True, allow_nan=False).encode("ascii")
        give_up_at = time.monotonic() + self._retry_total_s
        attempt = 0
        while True:
            after_s: Optional[float] = None
            try:
                connection, response = self._send(path, data, accept)
            except socket.timeout as error:
                # It may be judged at this moment: to ask again would only add to the load.
                raise AssayUnavailable(f"no answer for {self._timeout_s} s") from error
            except (OSError, http.client.HTTPException) as error:
                problem: Exception = AssayUnavailable(f"{self._parts.geturl()}: {error}")
                problem.__cause__ = error
            else:
                if response.status == 200:
                    if read is None:
                        return connection, response
                    try:
                        return read(response)
                    except (OSError, http.client.HTTPException, ValueError) as error:
                        # It was judged: whether to ask again is the caller's to say.
                        raise AssayUnavailable(f"the answer was cut off: {error}") from error
                    finally:
                        response.close()
                        connection.close()
                try:
                    problem, after_s = _problem(response)
                finally:
                    response.close()
                    connection.close()
                if response.status not in RETRYABLE:
                    raise problem
            pause_s = self._pause(attempt, after_s)
            attempt += 1
            if attempt > self._retries or time.monotonic() + pause_s > give_up_at:
                raise problem
            self._sleep(pause_s)

    def _send(
        self, path: str, data: bytes, accept: str
    ) -> Tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        host, port = self._parts.hostname or "", self._parts.port
        connection: http.client.HTTPConnection
        if self._tls is not None:
            connection = http.client.HTTPSConnection(
                host, port, timeout=self._timeout_s, context=self._tls
            )
        else:
            connection = http.client.HTTPConnection(host, port, timeout=self._timeout_s)
        headers: Dict[str, str] = {
            "Content-Type": "application/json",
            "Accept": accept,
            **self._headers,
        }
        try:
            try:
                connection.request("POST", self._parts.path.rstrip("/") + path, data, headers)
            except BrokenPipeError:
                # An answer before the whole body was sent: it is too large, or there is no room for it.
                pass
            return connection, connection.getresponse()
        except BaseException:
            connection.close()
            raise

    def _pause(self, attempt: int, after_s: Optional[float]) -> float:
        """As long as the service says, else twice as long each time; a little apart from other clients."""
        with self._lock:
            spread = 1 + self._random.random() / 4
        own_s = min(_PAUSE_FIRST_S * 2.0 ** min(attempt, 16), _PAUSE_MAX_S)
        return max(own_s, after_s or 0.0) * spread


def _problem(response: http.client.HTTPResponse) -> Tuple[Exception, Optional[float]]:
    text = response.read(_PROBLEM_BYTES_MAX)
    try:
        found = json.loads(text)
    except ValueError:
        found = {}
    problem = found if isinstance(found, dict) else {}
    if response.status in RETRYABLE:
        detail = problem.get("detail", response.reason)
        return AssayUnavailable(f"{response.status}: {detail}"), _retry_after(response)
    return AssayRefused(response.status, problem), None


def _retry_after(response: http.client.HTTPResponse) -> Optional[float]:
    """Seconds; a date, which the service never sends, is ignored."""
    try:
        return max(0.0, float(response.headers.get("Retry-After", "")))
    except ValueError:
        return None
