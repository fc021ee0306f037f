class Future:
    callback = None
    def set_result(self, value):
        self.callback(value)

class Job:
    def __init__(self, steps):
        self.steps = steps
        self.step(None)
    def step(self, value):
        self.steps.send(value).callback = self.step
    def cancel(self):
        self.steps.throw(InterruptedError)  # its next future is thrown away

def worker(first, second):
    try:
        yield first
    except InterruptedError:
        print("second gave", (yield second))
    yield Future()

first, second = Future(), Future()
Job(worker(first, second)).cancel()
print("waits for second:", bool(second.callback), "- first:", bool(first.callback))
first.set_result("the value of first")
