import asyncio
async def f():
    await asyncio.sleep(0)
    raise ValueError('in task')
async def main():
    await asyncio.gather(f(), asyncio.sleep(0.01))
asyncio.run(main())
