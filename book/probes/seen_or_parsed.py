site = {"/": ["/a", "/b"], "/a": ["/c"], "/b": ["/c"], "/c": []}

for rule in "seen", "parsed":
    marked, todo, fetches = {"/"}, ["/"], 0
    for page in todo:
        fetches += 1
        marked.add(page)
        new = [link for link in site[page] if link not in marked]
        todo.extend(new)
        if rule == "seen":
            marked.update(new)
    print(f"marked when {rule}: {len(site)} pages, {fetches} fetches")
