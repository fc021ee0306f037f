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
            print("round", number, "all are done, join is told")
        except asyncio.InvalidStateError as error:
            print("round", number, "all are done, and:", error)

asyncio.run(main())
