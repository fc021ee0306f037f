class Promise:
    def __init__(self):
        self.waiters = []

class Job(Promise):
    def __init__(self, steps):
        self.steps = steps  # super().__init__() is missing

try:
    Job([]).waiters.append(print)
except AttributeError as error:
    print(error)
