import selectors, socket, struct

def coroutine():
    try:
        yield
    except ConnectionError:
        print("the coroutine handles it")

server = socket.create_server(("127.0.0.1", 0))
sock = socket.create_connection(server.getsockname())
reset = socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
server.accept()[0].setsockopt(*reset)  # and is closed
waits = coroutine()
next(waits)
selector = selectors.DefaultSelector()
selector.register(sock, selectors.EVENT_READ, lambda: waits.send(sock.recv(9)))
try:
    selector.select()[0][0].data()
except ConnectionError as error:
    print("the event loop ends:", error.strerror)
