"""Prints what the page about loops in a folder holds, as a browser takes it apart.

read_page.py FOLDER [LINE]: also the code that comes from a line of the source"""

import html.parser
import json
import sys


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.scripts, self.data, self.is_data = 0, [], False

    def handle_endtag(self, tag):
        self.is_data = False

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        self.is_data = tag == "script" and ("class", "data") in attributes

    def handle_data(self, text):
        if self.is_data:
            self.data.append(json.loads(text))


def print_code(code, line):
    for function in code["functions"]:
        lines = function["text"].split("\n")
        assert len(lines) == len(function["places"])
        for text, place in zip(lines, function["places"]):
            if place and place[1] == line:
                print(f"{code['title']}: {text.strip()}")


def print_unit(unit):
    print("unit", unit["unit"].rsplit("/", 1)[-1])
    for loop in unit["loops"]:
        print(loop["name"], loop["location"])
        for remark in loop["remarks"]:
            print(f"{remark['topic']}: {remark['text']}")
        for flush in loop["flushes"]:
            print("flush:", flush["text"])
        for code in loop["code"]:
            print_code(code, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    for file in unit["files"]:
        for line in file.get("text", "").split("\n"):
            if "text =" in line:
                print("source:", line)


def print_run(run):
    print(f"run: {run['threads']} threads, {run['ranks']} ranks")
    machine = run["machine"]
    assert machine["bytesPerSecond"] > 1e8 and machine["operationsPerSecond"] > 1e8
    for loop in run["loops"]:
        assert loop["seconds"] > loop["planSeconds"] >= 0 and loop["limit"]
        print(f"run: {loop['name']} {loop['location']} {loop['target']} ({loop['how']}) {loop['count']} times,",
              f"{round(loop['bytesOnce'] / loop['elementsOnce'])} bytes for each element")
    loops = [f"{loop['name']}({', '.join(arg['dat'] + ' ' + arg['access'] for arg in loop['args'])})"
             for loop in run["step"]]
    print("step", "repeats:" if run["stepRepeats"] else "does not repeat:", *loops)


page = Page()
page.feed(open(sys.argv[1] + "/index.html", encoding="utf-8").read())
print("script elements:", page.scripts)
for data in sorted(page.data, key=lambda data: (data["kind"] == "run", data.get("unit"))):
    print_unit(data) if data["kind"] == "unit" else print_run(data)
