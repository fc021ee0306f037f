text = """
if moved:
        follow()
    else:
        search()
"""
try:
    compile(text, "a listing", "exec")
except IndentationError as error:
    print(f"line {error.lineno}: {error.msg}")
