import asyncio
async def main():
    await asyncio.sleep(0.01)
    print('slept')
    return 5
print(asyncio.run(main()))
