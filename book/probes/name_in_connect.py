import socket

server = socket.create_server(("127.0.0.1", 0))
port = server.getsockname()[1]
for host in b"localhost", b"no..name":
    sock = socket.socket()
    sock.setblocking(False)
    try:
        sock.connect((host, port))
    except BlockingIOError:
        server.accept()
        print(host.decode(), "is looked up:", sock.getpeername()[0])
    except socket.gaierror:
        print(host.decode(), "is looked up: connect reports that it does not exist")
