import gc, os, socket

class Fetcher:
    pass

gc.disable()
for is_cycle in False, True:
    fetcher = Fetcher()
    fetcher.sock = socket.socket()
    fetcher.me = fetcher if is_cycle else None
    number = fetcher.sock.fileno()
    del fetcher
    try:
        os.fstat(number)
        print("refers to itself:", is_cycle, "- its socket is still open")
    except OSError:
        print("refers to itself:", is_cycle, "- its socket is closed")
