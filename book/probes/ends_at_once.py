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
    told = []
    job.at_end.append(lambda: told.append("stop"))
    if steps:
        job.step()
    print("waits:", len(steps), "the loop is told to stop:", bool(told))
