"""What is tried again, how often and after how long: against a server that answers as told."""

from __future__ import annotations

import http.server
import io
import json
import threading
import unittest
from typing import Any, Dict, List, Optional, Tuple

from assay_client import AssayRefused, AssayUnavailable, Client, Item
from assay_client.progress import Progress
from assay_client.transport import Transport

Answer = Tuple[int, Dict[str, str], bytes]
ROW: Dict[str, Any] = {"tests": []}


def problem(status: int, code: str, after: Optional[str] = None) -> Answer:
    headers = {} if after is None else {"Retry-After": after}
    return status, headers, json.dumps({"code": code, "detail": "told so"}).encode()


def lines(*values: Any) -> Answer:
    return 200, {}, b"".join(json.dumps(each).encode() + b"\n" for each in values)


def line(item: int, reward: Optional[float], completion: Optional[int] = None) -> Dict[str, Any]:
    result = {"reward": reward, "error": {"reason": "why"}}
    return {"item": item, "completion": completion, "reward": reward, "result": result}


SUMMARY: Dict[str, Any] = {"summary": {}}


class Told(unittest.TestCase):
    """A server that gives the next answer to each request, and the pauses that a client made."""

    def setUp(self) -> None:
        self.answers: List[Answer] = []
        self.requests: List[Any] = []
        self.keys: List[Optional[str]] = []
        self.pauses: List[float] = []
        case = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                case.requests.append(json.loads(self.rfile.read(length)))
                case.keys.append(self.headers.get("Authorization"))
                status, headers, body = case.answers.pop(0)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tearDown(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def client(self, retries: int = 3, retry_total_s: float = 100.0) -> Client:
        url = f"http://127.0.0.1:{self.server.server_address[1]}"
        client = Client(url)
        client._transport = Transport(
            url,
            timeout_s=10,
            retries=retries,
            retry_total_s=retry_total_s,
            sleep=self.pauses.append,
        )
        return client


class Retries(Told):
    def test_waits_as_long_as_it_is_told(self) -> None:
        self.answers = [problem(503, "queue_full", "7"), lines(line(0, 1.0), SUMMARY)]
        self.assertEqual(self.client().reward(ROW, "x"), 1.0)
        self.assertEqual(len(self.pauses), 1)
        self.assertGreaterEqual(self.pauses[0], 7)
        self.assertLess(self.pauses[0], 9)

    def test_gives_up_after_so_many_tries(self) -> None:
        self.answers = [problem(503, "queue_full") for _ in range(9)]
        with self.assertRaises(AssayUnavailable):
            self.client(retries=3).run("python", "1")
        self.assertEqual(len(self.requests), 4)

    def test_gives_up_rather_than_wait_too_long(self) -> None:
        self.answers = [problem(429, "rate_limited", "3600")]
        with self.assertRaises(AssayUnavailable):
            self.client(retry_total_s=60).run("python", "1")
        self.assertEqual(self.pauses, [])

    def test_does_not_repeat_what_is_wrong(self) -> None:
        self.answers = [problem(422, "invalid")]
        with self.assertRaises(AssayRefused) as caught:
            self.client().run("python", "1")
        self.assertEqual((caught.exception.status, caught.exception.code), (422, "invalid"))
        self.assertEqual(len(self.requests), 1)

    def test_tries_an_address_where_nobody_is_again(self) -> None:
        self.server.server_close()
        with self.assertRaises(AssayUnavailable):
            self.client(retries=2).run("python", "1")
        self.assertEqual(len(self.pauses), 2)

    def test_does_not_judge_again_what_was_cut_off(self) -> None:
        self.answers = [lines(line(0, 1.0))]
        answer = self.client().rewards([Item(ROW, "x"), Item(ROW, "y")])
        self.assertEqual(answer.rewards, [1.0, None])
        self.assertIsInstance(answer.errors[0], AssayUnavailable)
        self.assertEqual(len(self.requests), 1)


class Rewards(Told):
    def test_are_none_and_never_zero_without_an_answer(self) -> None:
        self.answers = [problem(422, "invalid")]
        answer = self.client().rewards([Item(ROW, "x"), Item(ROW, ["y", "z"]), Item(ROW, [])])
        self.assertEqual(answer.rewards, [None, [None, None], []])
        self.assertIsInstance(answer.errors[0], AssayRefused)

    def test_have_their_places_whatever_the_order(self) -> None:
        self.answers = [lines(line(1, 0.0, 1), line(0, None), line(1, 1.0, 0), SUMMARY)]
        answer = self.client().rewards([Item(ROW, "x"), Item(ROW, ["y", "z"])], language="cpp")
        self.assertEqual(answer.rewards, [None, [1.0, 0.0]])
        self.assertEqual(answer.errors, [])
        self.assertEqual(self.requests[0]["language"], "cpp")

    def test_of_a_part_that_fails_cost_no_other_part_its_own(self) -> None:
        whole = lines(*(line(index, 1.0) for index in range(500)), SUMMARY)
        self.answers = [whole, problem(422, "invalid"), lines(line(0, 0.0), SUMMARY)]
        answer = self.client().rewards([Item(ROW, "x")] * 1001)
        self.assertEqual(answer.rewards, [1.0] * 500 + [None] * 500 + [0.0])
        self.assertEqual([len(each["items"]) for each in self.requests], [500, 500, 1])

    def test_of_nothing_are_nothing(self) -> None:
        self.assertEqual(self.client().rewards([]).rewards, [])
        self.assertEqual(self.requests, [])


class Bars(unittest.TestCase):
    def test_show_how_far_it_is(self) -> None:
        stream = io.StringIO()
        bar = Progress(2, shown=True, stream=stream)
        bar.step(1.0)
        bar.step(None)
        bar.end()
        self.assertIn("2/2", stream.getvalue())
        self.assertIn("1 without a reward", stream.getvalue())

    def test_show_nothing_where_there_is_no_terminal(self) -> None:
        stream = io.StringIO()
        bar = Progress(1, stream=stream)
        bar.step(1.0)
        bar.end()
        self.assertEqual(stream.getvalue(), "")



class Keys(Told):
    def test_are_taken_from_the_address_and_sent_as_a_header(self) -> None:
        self.answers = [(200, {}, b"{}"), (200, {}, b"{}")]
        port = self.server.server_address[1]
        for url in (f"http://secret@127.0.0.1:{port}", f"http://127.0.0.1:{port}"):
            Transport(url, timeout_s=10, retries=0, retry_total_s=1).json("/v1/run", {})
        self.assertEqual(self.keys, ["Bearer secret", None])

    def test_are_in_no_message(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        url = f"http://secret@127.0.0.1:{self.server.server_address[1]}"
        with self.assertRaises(AssayUnavailable) as caught:
            Transport(url, timeout_s=10, retries=0, retry_total_s=1).json("/v1/run", {})
        self.assertNotIn("secret", str(caught.exception))
        self.setUp()


if __name__ == "__main__":
    unittest.main()
