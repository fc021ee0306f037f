class Box:
    def __init__(self):
        self.waiters = []
    def fill(self):
        while self.waiters:
            drive(self.waiters.pop())

def drive(steps):
    for box in steps:
        return box.waiters.append(steps)

def task(box, name):
    yield box
    print(name, "goes on")

for name, turns in ("late", "drive fill"), ("early", "fill drive"):
    box = Box()
    for turn in turns.split():
        box.fill() if turn == "fill" else drive(task(box, name))
    print(name, "still waits:", bool(box.waiters))
