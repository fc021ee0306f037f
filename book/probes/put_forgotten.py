import asyncio

async def main():
    queue = asyncio.Queue()
    forgotten = queue.put("/")  # called, not awaited
    print("items in the queue:", queue.qsize())
    await queue.join()
    print("join returns at once: the crawl is over")
    forgotten.close()  # or Python warns: "was never awaited"

asyncio.run(main())
