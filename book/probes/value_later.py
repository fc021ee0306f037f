import asyncio

def plain():
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    loop.call_later(0.01, future.set_result, "a value")
    print("plain returns, and there is a value:", future.done())
    return future

async def coroutine():
    await asyncio.sleep(0.01)
    return "a value"

async def main():
    for way in plain, coroutine:
        print("awaiting", way.__name__, "gives", await way())

asyncio.run(main())
