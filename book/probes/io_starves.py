import select, socket
from collections import deque

here, there = socket.socketpair()
there.send(b"news")
ready, looked = deque(["always ready"]), 0
for turn in range(10_000):
    if not ready:
        looked += 1
        select.select([here], [], [])
    ready.append(ready.popleft())
print("turns: 10000, looked at the sockets:", looked)
print("news was there:", select.select([here], [], [], 0)[0] == [here])
