import asyncio
async def bad(): raise KeyError('x')
async def main():
    async with asyncio.TaskGroup() as g:
        g.create_task(bad())
        g.create_task(asyncio.sleep(1))
asyncio.run(main())
