# Honest: Computes in an event loop.
# Expected: accepted.
import asyncio
import sys


async def plus(line):
    await asyncio.sleep(0)
    return sum(map(int, line.split()))


async def main():
    _, *lines = sys.stdin.read().splitlines()
    print(*await asyncio.gather(*map(plus, lines)), sep="\n")


asyncio.run(main())
