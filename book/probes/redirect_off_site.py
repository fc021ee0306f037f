from urllib.parse import urlsplit

web = {
    "http://a.example/": ("links", ["http://b.example/no"]),
    "http://a.example/moved": ("redirect", ["http://b.example/yes"]),
}
todo = list(web)
for url in todo:
    kind, targets = web.get(url, ("links", []))
    print("fetched:", url)
    for target in targets:
        if kind == "redirect" or urlsplit(target).hostname == "a.example":
            todo.append(target)
