class Page:
    def __init__(self, url):
        self.url = url

class Page:  # the next listing: a method that is new, and nothing else
    def fetch(self):
        print("fetches", self.url)
    def read_all(sock):  # a function that was pasted into the class
        return b""

def crawl():
    return crawler.Crawler("/")  # a module that is not printed

for attempt in lambda: Page("/353/"), lambda: Page().read_all(None), crawl:
    try:
        attempt()
    except (TypeError, NameError) as error:
        print(type(error).__name__ + ":", str(error).replace("Page.", ""))
