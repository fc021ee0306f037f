from urllib.parse import urljoin, urlsplit

page, location = "http://a.example/353", "/353/"
for target in location, urljoin(page, location):
    print(target, "has the host", urlsplit(target).hostname)
