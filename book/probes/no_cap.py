import resource
import socket

resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
links = [f"/{number}" for number in range(500)]
fetchers = []
try:
    for link in links:
        fetchers.append(socket.socket())  # one for each link, at once
except OSError as error:
    print(f"{len(links)} links, 64 descriptors: {error.strerror}")
