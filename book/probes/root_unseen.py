site = {"/": ["/about"], "/about": ["/"]}

for seen in set(), {"/"}:
    print("seen at first:", sorted(seen))
    todo, fetched = ["/"], []
    for page in todo:
        fetched.append(page)
        new = [link for link in site[page] if link not in seen]
        seen.update(new)
        todo.extend(new)
    print("  fetched:", fetched)
