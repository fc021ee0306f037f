import os, selectors, socket

server = socket.socket()
server.bind(("127.0.0.1", 0))  # it does not listen
sock = socket.socket()
sock.setblocking(False)
sock.connect_ex(server.getsockname())
selector = selectors.DefaultSelector()
selector.register(sock, selectors.EVENT_WRITE)
print("writable:", len(selector.select()) == 1)
error = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
print("connected:", error == 0, "-", os.strerror(error))
