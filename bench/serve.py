"""How soon the workbench answers a key press: from the event to the drawn answer, check and solution
both, for a model of eight lines; and how it behaves with a chain of a million states.

  bench/serve.py [PRESSES]

Prints milliseconds: the median, the 95th percentile and the most; of single answers also what the
commands took of them.  BIN names the folder of the commands."""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "serve"))
from server import Server  # noqa: E402
from webdriver import Browser  # noqa: E402

# 4 local states, 180 copies: C(183, 3) = 1,004,731 states.
MANY = "P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).S; S = (d, 4).P;\nP[180]"
# One press of a key, and how long until the page shows the answer: [all, the longer job of the two].
PRESS = """
    const done = arguments[arguments.length - 1], [text] = arguments;
    const area = document.querySelector('#editor textarea'), body = document.body;
    delete body.dataset.answered;
    const began = performance.now();
    new MutationObserver((_, observer) => {
        if (!body.dataset.answered) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => {
            const jobs = performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/run') && e.startTime >= began);
            done([performance.now() - began, ...jobs.map((e) => e.duration)]);
            performance.clearResourceTimings();
        }));
    }).observe(body, { attributes: true });
    if (text) area.value = text; else area.setRangeText(area.value.endsWith(' ') ? '\\n' : ' ', area.value.length, area.value.length, 'end');
    area.dispatchEvent(new Event('input'));"""


def press(browser, text=None):
    return browser.call("POST", "/execute/async", {"script": PRESS, "args": [text]})


def told(what, times):
    times = sorted(times)
    print(f"{what:36} median {times[len(times) // 2]:6.1f}   95 % {times[int(0.95 * (len(times) - 1))]:6.1f}"
          f"   most {times[-1]:6.1f} ms")


def main():
    presses = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    server, browser = Server(), Browser()
    try:
        browser.call("POST", "/timeouts", {"script": 120000})
        browser.go(server.url)
        browser.wait("return document.body.dataset.answered")
        for _ in range(5):
            press(browser)
        found = [press(browser) for _ in range(presses)]
        told("a key in a model of 8 lines", [each[0] for each in found])
        told("  of these, the longer job", [max(each[1:]) for each in found])
        told("a key in a model of 10^6 states", [press(browser, MANY + " " * i)[0] for i in range(5)])
        browser.click("#tab-states")
        began = time.monotonic()
        browser.click("#panel-states button.run")
        browser.wait("return document.querySelector('.pager [role=status]')?.textContent.includes('1,004,731')",
                     seconds=300)
        print(f"{'a list of these':36} {1000 * (time.monotonic() - began):13.0f} ms")
        pages = []
        for number in range(20):
            began = time.monotonic()
            row = 1 + number * 50000
            browser.script("""const go = document.querySelector('.pager input'); go.value = String(arguments[0]);
                go.dispatchEvent(new Event('change'))""", row)
            browser.wait("return document.querySelector('#panel-states td').textContent === arguments[0]", f"{row:,}")
            pages.append(1000 * (time.monotonic() - began))
        told("a page of that list", pages)
    finally:
        browser.close()
        server.end()


if __name__ == "__main__":
    main()
