"""A browser without a window, over WebDriver: what the tests of the page need of it, with the
standard library only.  Source: W3C, WebDriver (2018)."""
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"tab": "\ue004", "enter": "\ue007", "left": "\ue012", "up": "\ue013", "right": "\ue014",
        "down": "\ue015", "home": "\ue011", "end": "\ue010", "space": " ", "control": "\ue009",
        "shift": "\ue008", "null": "\ue000"}


class Browser:
    def __init__(self):
        self.home = tempfile.mkdtemp()
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            port = re.search(r"successfully on port (\d+)", line)
            if port:
                break
        self.base = f"http://127.0.0.1:{port.group(1)}/session"
        args = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage",
                f"--user-data-dir={self.home}"]
        if os.geteuid() == 0:
            args.append("--no-sandbox")
        wanted = {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": args}, "goog:loggingPrefs": {"browser": "ALL"}}}}
        self.base += "/" + self.call("POST", "", wanted)["sessionId"]

    def call(self, method, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.base + path, data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(value["error"] + ": " + value["message"].splitlines()[0]) from None

    def go(self, url):
        self.call("POST", "/url", {"url": url})

    def script(self, code, *arguments):
        return self.call("POST", "/execute/sync", {"script": code, "args": list(arguments)})

    def find(self, css):
        return self.call("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def click(self, css):
        self.call("POST", f"/element/{self.find(css)}/click")

    def keys(self, *names):
        """Press keys where the focus is; a longer text is typed.  ("control", "enter") together."""
        actions = []
        for name in names:
            held = [KEYS.get(n, n) for n in name] if isinstance(name, tuple) else None
            if held:
                actions += [{"type": "keyDown", "value": k} for k in held]
                actions += [{"type": "keyUp", "value": k} for k in reversed(held)]
                continue
            for key in [KEYS[name]] if name in KEYS else name:
                actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.call("POST", "/actions",
                  {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def wait(self, code, *arguments, seconds=60):
        """Until a script gives something true, which is returned."""
        end = time.monotonic() + seconds
        while True:
            value = self.script(code, *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"not in {seconds} s: {code}")
            time.sleep(0.02)

    def size(self, width, height=900):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        self.cdp("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": name}])

    def cdp(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def picture(self, path):
        """All of the page, as a PNG."""
        shot = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def names(self):
        """What a screen reader hears of: (role, name) of every element that is not ignored."""
        nodes = self.cdp("Accessibility.getFullAXTree")["nodes"]
        return [(n["role"]["value"], n.get("name", {}).get("value", ""))
                for n in nodes if not n["ignored"]]

    def complaints(self):
        """What the browser has logged since the last call, such as breaches of the policy."""
        return [e["message"] for e in self.call("POST", "/se/log", {"type": "browser"})]

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            shutil.rmtree(self.home, ignore_errors=True)
