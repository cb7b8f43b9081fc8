import asyncio, time
async def main():
    print(await asyncio.to_thread(lambda: time.sleep(0.01) or 'done'))
asyncio.run(main())
