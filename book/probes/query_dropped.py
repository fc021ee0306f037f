from urllib.parse import urlsplit

links = ["/comic?number=1", "/comic?number=2"]
print("by path:", sorted({urlsplit(link).path for link in links}))
print("by URL: ", sorted(links))
