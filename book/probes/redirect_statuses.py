def target(status, headers):
    if status in {300, 301, 302, 303, 307}:
        return headers["Location"]
    return "no URL: taken for a page"

new = {"Location": "/new"}
for status, headers in (301, new), (308, new), (300, {}):
    try:
        print(status, headers, "leads to", target(status, headers))
    except KeyError as error:
        print(status, headers, "raises KeyError:", error)
