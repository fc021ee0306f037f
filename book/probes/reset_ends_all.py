import select, socket, struct

server = socket.create_server(("127.0.0.1", 0))
clients = [socket.create_connection(server.getsockname()) for _ in "12"]
waiting = {server.accept()[0]: f"task {number}" for number in (1, 2)}
reset = socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
clients[0].setsockopt(*reset)
clients[0].close()
clients[1].send(b"hello")
try:
    while waiting:
        for sock in select.select(list(waiting), [], [])[0]:
            data = sock.recv(100)  # done for the task, by the scheduler
            print(waiting.pop(sock), "gets", data)
except ConnectionError as error:
    print("the scheduler ends:", error.strerror)
print("never resumed:", *waiting.values())
