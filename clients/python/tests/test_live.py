"""The client and its adapters, called as trainers call them, against the service at ASSAY_URL."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
import os
import unittest
from typing import Any, Dict, List

import assay_client
from assay_client import AssayFault, AssayRefused, Client, Item, open_r1, openrlhf, trl, verl

URL = os.environ["ASSAY_URL"]
SUM = "a, b = map(int, input().split())\nprint(a + b)"
TESTS = {"inputs": ["1 2\n", "3 4\n"], "outputs": ["3\n", "7\n"]}
CASES = [
    {"type": "stdin_stdout", "fn_name": None, "input": "1 2\n", "output": "3\n"},
    {"type": "stdin_stdout", "fn_name": None, "input": "2 2\n", "output": "4\n"},
]
VERIFICATION = {"language": "python", "test_cases": CASES}
MBPP: Dict[str, Any] = {
    "task_id": 1,
    "text": "Add two numbers.",
    "code": "def add(a, b):\n    return a + b\n",
    "test_list": ["assert add(1, 2) == 3"],
    "test_setup_code": "",
    "challenge_test_list": [],
}


def fenced(code: str) -> str:
    return f"Here:\n```python\n{code}\n```\n"


def chat(text: str) -> List[Dict[str, str]]:
    return [{"role": "assistant", "content": text}]


RIGHT, WRONG, HALF = fenced(SUM), fenced("print(0)"), fenced("print(3)")


class Asking(unittest.TestCase):
    client = Client(URL)

    def test_runs(self) -> None:
        outcome = self.client.run("python", "print(input())", stdin="hello")["outcome"]
        self.assertEqual((outcome["stdout"], outcome["exit_code"]), ("hello\n", 0))

    def test_judges(self) -> None:
        tests = {"kind": "stdio", "cases": [{"stdin": "1 2", "expected_stdout": "3"}]}
        self.assertEqual(self.client.judge("python", tests=tests, code=SUM)["verdict"], "accepted")
        with self.assertRaises(AssayRefused) as caught:
            self.client.judge("klingon", tests=tests, code=SUM)
        self.assertEqual(caught.exception.code, "unknown_language")

    def test_rewards(self) -> None:
        right = fenced(MBPP["code"])
        self.assertEqual(self.client.reward(MBPP, right), 1.0)
        self.assertEqual(self.client.reward(MBPP, "no idea"), 0.0)
        self.assertIsNone(self.client.reward({**MBPP, "test_list": []}, right))
        items = [Item(MBPP, [right, "no"]), Item({"x": 1}, right), Item(MBPP, "no", id="last")]
        answer = self.client.rewards(items)
        self.assertEqual(answer.rewards, [[1.0, 0.0], None, 0.0])
        self.assertIn("no known data set", answer.results[1]["error"]["reason"])
        self.assertEqual(answer.results[2]["id"], "last")

    def test_rewards_at_the_same_time(self) -> None:
        async def both() -> Any:
            return await asyncio.gather(
                self.client.reward_async(MBPP, fenced(str(MBPP["code"]))),
                self.client.rewards_async([Item(MBPP, ["no"])]),
                self.client.run_async("python", "print(1)"),
                self.client.judge_async(
                    "python",
                    tests={"kind": "stdio", "cases": [{"expected_stdout": "1"}]},
                    code="print(1)",
                ),
            )

        reward, batch, run, report = asyncio.run(both())
        self.assertEqual((reward, batch.rewards), (1.0, [[0.0]]))
        self.assertEqual((run["outcome"]["stdout"], report["reward"]), ("1\n", 1.0))


class Trainers(unittest.TestCase):
    def test_verl_loads_the_file_and_calls_by_name(self) -> None:
        path = os.path.join(os.path.dirname(assay_client.__file__), "verl.py")
        spec = importlib.util.spec_from_file_location("custom_module", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for solution, reward in ((RIGHT, 1.0), (WRONG, 0.0)):
            score = module.compute_score(
                data_source="codecontests",
                solution_str=solution,
                ground_truth=json.dumps(TESTS),
                extra_info={"split": "train", "index": 0},
                assay_url=URL,
                reward_router_address=None,
            )
            self.assertIs(type(score), float)
            self.assertEqual(score, reward)

    def test_verl_in_batches(self) -> None:
        columns: Any = (["x"] * 3, [RIGHT, WRONG, HALF], [json.dumps(TESTS)] * 3, [{}, {}, None])
        score = verl.compute_score_batch(*columns, assay_url=URL, scoring="fraction")
        self.assertEqual(score, [1.0, 0.0, 0.5])

    def test_verl_gets_no_invented_number(self) -> None:
        with self.assertRaises(AssayFault):
            verl.compute_score("x", RIGHT, "nonsense", {}, assay_url=URL)
        given = verl.compute_score("x", RIGHT, "nonsense", {}, assay_url=URL, on_fault=-7.0)
        self.assertEqual(given, -7.0)

    def test_trl_passes_columns(self) -> None:
        reward = trl.reward_function(URL)
        self.assertFalse(inspect.iscoroutinefunction(reward))
        self.assertEqual(reward.__name__, "assay_reward")
        got = reward(
            prompts=["p"] * 4,
            completions=[chat(RIGHT), chat(WRONG), chat(RIGHT), chat("no code")],
            completion_ids=[[1]] * 4,
            trainer_state=object(),
            log_extra=print,
            log_metric=print,
            verification_info=[VERIFICATION, VERIFICATION, {**VERIFICATION, "test_cases": []}, VERIFICATION],
        )
        self.assertEqual(got, [1.0, 0.0, None, 0.0])

    def test_trl_with_texts(self) -> None:
        columns: Dict[str, Any] = {name: [value] for name, value in MBPP.items()}
        got = trl.reward_function(URL, dataset="mbpp")(
            prompts=["p"], completions=[fenced(str(MBPP["code"]))], **columns
        )
        self.assertEqual(got, [1.0])
        with self.assertRaises(ValueError):
            trl.reward_function(URL)(prompts=["p"], completions=["x"], tests=[1, 2])

    def test_open_r1(self) -> None:
        completions = [chat(RIGHT), chat(HALF), chat(RIGHT)]
        infos = [VERIFICATION, VERIFICATION, None]
        extra: Dict[str, Any] = {"prompts": ["p"] * 3, "source": ["s"] * 3, "url": URL}
        got = open_r1.code_reward(completions, verification_info=infos, **extra)
        self.assertEqual(got, [1.0, 0.5, None])
        got = open_r1.binary_code_reward(completions, verification_info=infos, **extra)
        self.assertEqual(got, [1.0, 0.0, None])

    def test_openrlhf(self) -> None:
        prompts = ["<user>Add.<assistant>"] * 2
        queries = [prompts[0] + RIGHT, prompts[1] + WRONG]
        label = json.dumps({"verification_info": VERIFICATION})
        got = openrlhf.reward_func(queries, prompts, [label, label])
        self.assertEqual([float(each) for each in got["rewards"]], [1.0, 0.0])
        self.assertEqual([float(each) for each in got["scores"]], [1.0, 0.0])
        self.assertEqual([float(each) for each in got["extra_logs"]["assay_faults"]], [0.0, 0.0])
        with self.assertRaises(AssayFault):
            openrlhf.reward_func(queries, prompts, [label, '{"nothing": 1}'])


if __name__ == "__main__":
    unittest.main()
