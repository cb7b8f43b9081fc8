import asyncio
async def main():
    async with asyncio.timeout(0.01):
        await asyncio.sleep(1)
asyncio.run(main())
