import asyncio, os, signal
async def main():
    done = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, done.set)
    os.kill(os.getpid(), signal.SIGUSR1)
    await asyncio.wait_for(done.wait(), 2)
    print('signalled')
asyncio.run(main())
