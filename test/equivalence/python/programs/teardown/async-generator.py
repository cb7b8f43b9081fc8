import asyncio
async def g():
    try:
        yield 1
    finally:
        print('agen closed')
async def main():
    async for x in g():
        break
asyncio.run(main())
