import select

for number in 1023, 1024:
    try:
        select.select([number], [], [], 0)
        print("select accepts descriptor", number)
    except ValueError as error:
        print("select refuses descriptor", number, "-", error)
    poll = select.poll()
    poll.register(number)
    poll.poll(0)
    print("poll accepts descriptor", number)
