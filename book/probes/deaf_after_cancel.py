class Event:
    callback = None
    def happens(self, value):
        self.callback(value)

class Job:
    def __init__(self, steps):
        self.steps = steps
        self.step(None)
    def step(self, value):
        self.steps.send(value).callback = self.step
    def cancel(self):
        self.steps.throw(InterruptedError)  # the next event is thrown away

def worker(first, second):
    try:
        yield first
    except InterruptedError:
        print("second gave", (yield second))
    yield Event()

first, second = Event(), Event()
Job(worker(first, second)).cancel()
print("waits for second:", bool(second.callback), "- first:", bool(first.callback))
first.happens("the value of first")
