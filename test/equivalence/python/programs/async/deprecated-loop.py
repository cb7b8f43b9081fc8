import asyncio
loop = asyncio.get_event_loop()
print(loop.run_until_complete(asyncio.sleep(0, 'x')))
