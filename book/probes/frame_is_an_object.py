import dis
import sys


def bar():
    number = 7
    return sys._getframe(), number


def foo():
    return bar()


# The names differ a little from version to version: what all of them have is shown.
names = [instruction.opname for instruction in dis.get_instructions(foo)]
shared = [name for name in names if name not in ("RESUME", "PRECALL")]
print("foo is compiled to:", *(name.replace("_FUNCTION", "") for name in shared))

frame, _ = foo()
print("bar has returned, and its frame still has", frame.f_locals)
print("it was called by", frame.f_back.f_code.co_name)
