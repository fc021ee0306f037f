import select, socket

for name, mode in ("level", 0), ("edge", select.EPOLLET):
    here, there = socket.socketpair()
    there.sendall(b"x" * 10_000)
    poll = select.epoll()
    poll.register(here, select.EPOLLIN | mode)
    got = []
    while sum(got) < 10_000 and poll.poll(0.2):
        got.append(len(here.recv(4096)))  # one read for each event
    print(f"{name}: {got}, left: {10_000 - sum(got)}")
