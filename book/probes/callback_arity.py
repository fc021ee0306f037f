class Page:
    def is_connected(self, key, mask):
        print("called with", key, "and", mask)

callback = Page().is_connected
for arguments in ("a key", "a mask"), ():
    try:
        callback(*arguments)
    except TypeError as error:
        print(str(error).replace("Page.", ""))
