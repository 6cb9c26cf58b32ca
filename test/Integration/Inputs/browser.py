"""Opens a page in Chromium without a window, does what the arguments say, one after the other, and prints what comes of
it. Ends with 1 if the page reports an error, or something is not there.

    browser.py CHROMIUM PAGE ACTION...

    click:SELECTOR[|TEXT]   the first element that SELECTOR finds (and that has TEXT), scrolled into view
    text:SELECTOR           prints the text of all that it finds, a line each
    count:SELECTOR          prints how many it finds
    shot:FILE:WIDTHxHEIGHT  a picture (.png, .webp)

Speaks the DevTools protocol over pipes: JSON, each message ended by a zero byte."""

import base64
import json
import os
import subprocess
import sys
import tempfile


class Browser:
    def __init__(self, program, folder):
        to_read, self.requests = os.pipe()
        self.answers, to_write = os.pipe()

        def connect():
            # Chromium reads from 3 and writes to 4.
            read, write = os.dup(to_read), os.dup(to_write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=connect)
        os.close(to_read)
        os.close(to_write)
        self.stream = os.fdopen(self.answers, "rb")
        self.number = 0
        self.session = None
        self.events = []
        self.rest = b""

    def receive(self):
        while b"\0" not in self.rest:
            more = self.stream.read1(1 << 16)
            if not more:
                sys.exit("browser: chromium has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.requests, json.dumps(request).encode() + b"\0")
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                if "error" in message:
                    sys.exit(f"browser: {method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def wait(self, event):
        while not any(message.get("method") == event for message in self.events):
            self.events.append(self.receive())

    def open(self, page):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(f"{domain}.enable")
        self.call("Page.navigate", url="file://" + os.path.abspath(page))
        self.wait("Page.loadEventFired")

    def evaluate(self, code):
        result = self.call("Runtime.evaluate", expression=code, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"browser: {result['exceptionDetails']}")
        return result["result"].get("value")

    def click(self, selector, text):
        place = self.evaluate(f"""(() => {{
            const element = [...document.querySelectorAll({json.dumps(selector)})].find(
                (one) => one.textContent.includes({json.dumps(text)}));
            if (!element) return null;
            element.scrollIntoView({{ block: "center", inline: "nearest" }});
            const box = element.getBoundingClientRect();
            return [box.left + Math.min(box.width / 2, 20), box.top + box.height / 2]; }})()""")
        if not place:
            sys.exit(f"browser: there is no '{selector}' with '{text}'")
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def shoot(self, name, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        with open(name, "wb") as file:
            kind = name.rsplit(".", 1)[1]
            options = {} if kind == "png" else {"quality": 40}
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format=kind, **options)["data"]))

    def errors(self):
        self.evaluate("0")
        for message in self.events:
            if message.get("method") == "Runtime.exceptionThrown":
                details = message["params"]["exceptionDetails"]
                yield details.get("exception", {}).get("description", details["text"])
            elif message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
                yield message["params"]["entry"]["text"]


def main():
    program, page, *actions = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(program, folder)
        try:
            browser.open(page)
            browser.call("Emulation.setDeviceMetricsOverride", width=1500, height=1000, deviceScaleFactor=1,
                         mobile=False)
            for action in actions:
                kind, what = action.split(":", 1)
                if kind == "click":
                    selector, _, text = what.partition("|")
                    browser.click(selector, text)
                elif kind == "text":
                    for text in browser.evaluate(f"""[...document.querySelectorAll({json.dumps(what)})].map(
                            (one) => one.textContent)"""):
                        print(text)
                elif kind == "count":
                    print(browser.evaluate(f"document.querySelectorAll({json.dumps(what)}).length"))
                elif kind == "shot":
                    name, size = what.rsplit(":", 1)
                    width, height = size.split("x")
                    browser.shoot(name, int(width), int(height))
                else:
                    sys.exit(f"browser: unknown action '{action}'")
            errors = list(browser.errors())
            for error in errors:
                print("error:", error)
        finally:
            browser.process.kill()
            browser.process.wait()
    sys.exit(1 if errors else 0)


main()
