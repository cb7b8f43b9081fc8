import asyncio
async def f(): raise ValueError('lost')
async def main():
    asyncio.create_task(f())
    await asyncio.sleep(0.01)
asyncio.run(main())
