def site(host):
    return "".join(host.split(".")[-2:])

for host in "blog.example.com", "example.com", "one.co.uk", "another.co.uk":
    print(host, "belongs to", site(host))
