import select, socket, threading

here, there = socket.socketpair()  # blocking, as sockets are
print("writable:", select.select([], [here], [])[1] == [here])
data = b"x" * 10_000_000
scheduler = threading.Thread(target=here.send, args=[data], daemon=True)
scheduler.start()
scheduler.join(0.3)
print("after 0.3 s the scheduler is in send:", scheduler.is_alive())
