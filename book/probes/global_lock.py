import sys

has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
print("this Python has a global lock:", has_lock)
