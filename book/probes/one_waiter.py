import select, socket

here, there = socket.socketpair()
waiting = {}
for task in "first", "second":
    waiting[here.fileno()] = task
there.send(b"data")
for number in select.select(list(waiting), [], [])[0]:
    print("resumed:", waiting.pop(number))
print("still waiting, as the scheduler sees it:", waiting)
