import asyncio

async def work(queue):
    while True:
        page = await queue.get()
        assert page != "/bad", "a bug in the parser"
        queue.task_done()

async def main():
    queue = asyncio.Queue()
    for page in "/", "/bad", "/more":
        queue.put_nowait(page)
    tasks = [asyncio.create_task(work(queue)) for _ in range(2)]
    try:
        await asyncio.wait_for(queue.join(), 0.2)
    except asyncio.TimeoutError:
        print("join waits; items in the queue:", queue.qsize())
    print("a worker has ended:", *(it.exception() for it in tasks if it.done()))

asyncio.run(main())
