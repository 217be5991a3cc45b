"""Pictures of the workbench for its manual, as SVG of text: screenshots.py FOLDER.
With PICTURES=FOLDER also what the browser shows, as PNG, to be compared."""
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from server import Server  # noqa: E402
from views import run  # noqa: E402
from webdriver import Browser  # noqa: E402

MODEL = "models/client_server.pepa"
LIMIT = 100_000  # bytes of a picture
# Name, colours, width and height, view, its fields; what it shows.
SHOTS = [
    ("solve", "light", 1280, 1270, "solve", {"measures": "response:{ClientWaits}"},
     "On the left a model of clients and servers in the editor; on the right its throughputs as bars, and the measures."),
    ("experiment", "dark", 1280, 1070, "experiment",
     {"rate1": "think", "values1": "0.1:2:0.1", "measures": "throughput:respond"},
     "The throughput of respond as a line over the rate think, from 0.1 to 2, in dark colours."),
    ("narrow", "light", 400, 2200, "passage", {"fromAction": "request", "toAction": "respond", "until": "5"},
     "A page of 400 pixels: the model above, and below it how long it takes from request to respond, as a curve."),
]


def svg_of(browser, title, description):
    """The page that the browser shows, down to the end of its window, as the text of an SVG."""
    with open(os.path.join(os.path.dirname(__file__), "screenshot.js"), encoding="utf-8") as file:
        return browser.script(file.read(), title, description)


def shoot(browser, server, shot, folder):
    name, scheme, width, height, view, fields, description = shot
    browser.size(width, height)
    browser.scheme(scheme)
    browser.go("about:blank")
    browser.go(server.url)
    browser.wait("return document.body.dataset.answered")
    said = run(browser, view, fields)
    browser.script("document.activeElement.blur(); scrollTo(0, 0)")
    text = svg_of(browser, f"The workbench: {view}", description)
    assert said.startswith("Done in"), said
    assert server.token not in text and os.getcwd() not in text, f"{name}: tells of this machine"
    assert len(text.encode()) < LIMIT, f"{name}: {len(text.encode())} bytes"
    with open(os.path.join(folder, f"serve-{name}.svg"), "w", encoding="utf-8") as file:
        file.write(text)
    if os.environ.get("PICTURES"):
        browser.picture(os.path.join(os.environ["PICTURES"], f"{name}.png"))


def main():
    server = Server(MODEL)
    browser = Browser()
    try:
        for shot in SHOTS:
            shoot(browser, server, shot, sys.argv[1])
    finally:
        browser.close()
        server.end()


if __name__ == "__main__":
    main()
