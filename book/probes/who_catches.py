import inspect

def worker():
    try:
        yield
    except InterruptedError:
        print("above:", [frame.function for frame in inspect.stack()[1:]])
        raise

def step(steps):
    next(steps)
def cancel(steps):
    steps.throw(InterruptedError)

steps = worker()
try:
    step(steps)
    cancel(steps)
except InterruptedError:
    print("caught by the caller of cancel")
