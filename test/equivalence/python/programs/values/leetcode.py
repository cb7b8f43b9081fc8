#: {"stdin": "[2,7,11,15]\n9\n"}
from typing import *
from collections import *
from itertools import *
from functools import *
from heapq import *
from bisect import *
from math import *
import collections, string, sys, json


class ListNode:
    def __init__(self, val=0, next=None):
        self.val, self.next = val, next


class Solution:
    def twoSum(self, nums: List[int], target: int) -> List[int]:
        seen = {}
        for i, n in enumerate(nums):
            if target - n in seen:
                return [seen[target - n], i]
            seen[n] = i
        return []


nums = json.loads(input())
print(Solution().twoSum(nums, int(input())))
print(Counter('hello').most_common(1), deque([1], 2), nlargest(2, nums), gcd(4, 6), bisect_left(nums, 7), reduce(lambda a, b: a * b, nums))
