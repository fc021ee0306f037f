class Job:
    def __init__(self, steps):
        self.steps, self.at_end = iter(steps), []
        self.step()

    def step(self):
        if next(self.steps, None) is None:
            for call in self.at_end:
                call()

for steps in ["a wait"], []:
    job = Job(steps)
    stopped = []
    job.at_end.append(lambda: stopped.append(True))
    if steps:
        job.step()
    print("waits:", len(steps), "the loop is stopped:", bool(stopped))
