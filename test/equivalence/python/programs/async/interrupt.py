import asyncio, os, signal
async def main():
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.sleep(1)
asyncio.run(main())
