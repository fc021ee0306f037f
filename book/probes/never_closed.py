import gc, os, socket

class Fetcher:
    pass

gc.disable()
for knows_itself in False, True:
    fetcher = Fetcher()
    fetcher.sock = socket.socket()
    fetcher.me = fetcher if knows_itself else None
    number = fetcher.sock.fileno()
    del fetcher
    try:
        os.fstat(number)
        print("knows itself:", knows_itself, "- its socket is still open")
    except OSError:
        print("knows itself:", knows_itself, "- its socket is closed")
