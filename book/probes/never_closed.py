import gc, os, socket

class Page:
    pass

gc.disable()
for is_cycle in False, True:
    page = Page()
    page.sock = socket.socket()
    page.me = page if is_cycle else None
    number = page.sock.fileno()
    del page
    try:
        os.fstat(number)
        print("refers to itself:", is_cycle, "- its socket is still open")
    except OSError:
        print("refers to itself:", is_cycle, "- its socket is closed")
