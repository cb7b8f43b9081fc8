#: {"stdin": "a\nb\n"}
import asyncio, sys
async def main():
    r = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(r), sys.stdin)
    print(await r.readline(), await r.read())
asyncio.run(main())
