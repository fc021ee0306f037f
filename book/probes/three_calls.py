import select

for name in "select", "poll", "epoll", "kqueue":
    print(name, "is a call of this system:", hasattr(select, name))
