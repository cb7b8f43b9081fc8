# Honest: Computes in an event loop of its own.
# Expected: accepted.
import asyncio


async def slowly(x, y):
    await asyncio.sleep(0)
    return x + y


def add(x, y):
    return asyncio.run(slowly(x, y))
