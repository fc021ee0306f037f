from collections import deque

def task(name, bug):
    for turn in "12":
        yield
        print(name, "turn", turn)
        assert not bug, f"a bug in {name}"

ready = deque([task("a", True), task("b", False)])
try:
    while ready:
        steps = ready.popleft()
        try:
            next(steps)
            ready.append(steps)
        except StopIteration:
            print("a task has ended")
except AssertionError as error:
    print("the scheduler ends:", error)
print("tasks that never run again:", len(ready))
