def task(name, said):
    for _ in range(2):
        said.append(name)
        yield

for rule, place in ("first in, first out", 0), ("last in, first out", -1):
    said = []
    ready = [task(name, said) for name in "abc"]
    while ready:
        steps = ready.pop(place)
        for _ in steps:
            ready.append(steps)
            break
    print(f"{rule}:", *said)
