class Cancelled(Exception):
    pass

class Job:
    def __init__(self):
        self.steps, self.is_cancelled = (None for _ in range(9)), False
    def step(self):
        try:
            next(self.steps)
        except Cancelled:
            self.is_cancelled = True
    def cancel(self):
        self.steps.throw(Cancelled)

jobs = [Job(), Job()]
for call in Job.step, Job.cancel:
    try:
        print(call.__name__, [call(job) for job in jobs])
    except Cancelled:
        print("cancel raises Cancelled;", [job.is_cancelled for job in jobs])
