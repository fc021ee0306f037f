import sys

has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
print("CPython, as it is installed mostly, has a global lock:", has_lock)
