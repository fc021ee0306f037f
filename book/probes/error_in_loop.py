import inspect

def page(name):
    yield
    print(name, "goes on")
    raise ValueError(f"no links in {name}")

pages = [page("/a"), page("/b")]
for each in pages:
    next(each)
try:
    for resolve in [each.__next__ for each in pages]:  # the event loop
        resolve()
except ValueError as error:
    print("the event loop ends:", error)
print("/b is", inspect.getgeneratorstate(pages[1]))
