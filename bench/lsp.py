"""How soon findings come while a long model is typed: from a change of one character to its
diagnostics.

Prints milliseconds: least, median and the largest but 5 %, of a model without errors and of one with
an error in every tenth line; the client's share is part of them.  Then the processor time that the
server takes for a change.  Needs PEPA, the program."""
import os
import resource
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "lsp"))
from client import Client  # noqa: E402

LINES = 2000
CHANGES = 60
URI = "file:///nowhere/model.pepa"


def model(lines, wrong):
    """Half of the lines are rates, half processes: components of 20 local states in a line."""
    half = lines // 2 - 1
    text = ["rate_%d = %d.5 * %s; // of an activity" % (i, i + 1, "rate_%d" % (i - 1) if i else "2")
            if i % 50 else "rate_%d = 1.5; // of an activity" % i for i in range(half)]
    for i in range(half):
        k, n = divmod(i, 20)
        last = n == 19 or i == half - 1
        text.append("P%d_%d = (go_%d_%d, rate_%d).P%d_%d + (back, rate_%d).P%d_0;" % (
            k, n, k, n, i if not wrong or i % 10 else 9 * lines, k, 0 if last else n + 1, i, k))
    count = (half + 19) // 20
    return "\n".join(text + [" || ".join("P%d_0" % k for k in range(count))]) + "\n"


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(text):
    before = processor_time()
    c = Client()
    found = len(c.open(text, URI))
    times = []
    for i in range(CHANGES):
        place = {"line": LINES // 2, "character": 0}
        end = {"line": LINES // 2, "character": i % 2}
        start = time.perf_counter()
        c.change([{"range": {"start": place, "end": end}, "text": "" if i % 2 else " "}],
                 version=i + 2)
        found = len(c.findings(URI))
        times.append(1e3 * (time.perf_counter() - start))
    c.quit()
    times.sort()
    each = 1e3 * (processor_time() - before) / (CHANGES + 1)
    return times[0], statistics.median(times), times[int(0.95 * len(times))], each, found


for name, wrong in (("without errors", False), ("with errors", True)):
    text = model(LINES, wrong)
    print("%d lines, %d bytes, %s: least %.1f ms, median %.1f ms, 95 %% %.1f ms; "
          "processor %.1f ms; %d findings" % (
        (text.count("\n"), len(text), name) + measure(text)))
