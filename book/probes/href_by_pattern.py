import re
from html.parser import HTMLParser

page = '<!-- <a href="/old"> --><a href="/a?x=1&amp;y=2">a page</a>'
print("by pattern:", re.findall('href="(.*?)"', page))

class Links(HTMLParser):
    def handle_starttag(self, tag, attributes):
        print("by parser: ", [value for name, value in attributes])

Links().feed(page)
