import asyncio, sys
async def main(): sys.exit(4)
asyncio.run(main())
