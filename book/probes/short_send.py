import socket

here, there = socket.socketpair()
here.setblocking(False)
request = b"x" * 10_000_000
count = here.send(request)  # what it returns is ignored
print("some bytes are sent:", count > 0)
print("all bytes are sent:", count == len(request))
