import asyncio

async def main():
    all_done = asyncio.Future()  # made once
    for number in 1, 2:
        unfinished = 3
        if all_done.done():
            await all_done
            print("round", number, "join returns:", unfinished, "unfinished")
        try:
            all_done.set_result(None)
            print("round", number, "ends: the future is resolved")
        except asyncio.InvalidStateError as error:
            print("round", number, "ends, and set_result raises:", error)

asyncio.run(main())
