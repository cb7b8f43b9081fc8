import asyncio
async def main():
    p = await asyncio.create_subprocess_exec('/bin/echo', 'hi', stdout=asyncio.subprocess.PIPE)
    print(await p.communicate(), p.returncode)
asyncio.run(main())
