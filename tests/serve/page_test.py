"""The page of pepa serve in a browser: every view, by the keyboard alone too, with names for screen readers,
light and dark, wide and narrow.  PICTURES=FOLDER keeps a picture of each view."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(__file__))
from screenshots import svg_of  # noqa: E402
from server import BIN, Server  # noqa: E402
from views import SETTLED, fill, run  # noqa: E402
from webdriver import Browser  # noqa: E402

MODEL = os.path.abspath("models/client_server.pepa")
WRONG = "r = 1;\nP = (a, r).Q;\nQ = (b, s).P;\nP <a> P"
# 4 local states, 180 copies: C(183, 3) states.
MANY = "P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).S; S = (d, 4).P;\nP[180]"
MANY_STATES = 183 * 182 * 181 // 6
LONG = "P = (a, 1).Q; Q = (b, 2).P;\nP[5]"

# View, fields, and what its result must hold (a CSS selector).
VIEWS = [
    ("solve", {"certify": True, "explain": True, "measures": "response:{ClientWaits}"}, "svg.plot"),
    ("structure", {"of": "cooperation"}, "svg.drawn"),
    ("structure", {"of": "components"}, "svg.drawn"),
    ("structure", {"of": "states"}, "svg.drawn"),
    ("states", {"solve": True}, "td.state"),
    ("time", {}, "svg.plot path.line"),
    ("passage", {"fromAction": "request", "toAction": "respond", "until": "5"}, "svg.plot path.line"),
    ("experiment", {"rate1": "think", "values1": "0.1:2:0.1", "measures": "throughput:respond"}, "svg.plot path.line"),
    ("experiment", {"rate2": "compute", "values2": "0.5,1,1.5"}, "svg.plot rect.cell"),
    ("walk", {}, "button.step"),
    ("sensitivity", {"of": "throughput:respond"}, "svg.plot rect.bar"),
    ("optimise", {"objective": "throughput:respond - rate:compute / 9", "within": "compute=0.5:4",
                  "subject": "population:ClientWaits <= 1"}, "svg.plot rect.bar"),
    ("check", {"formula": "P>=0.5 [ true U[0,1] {ClientWaits >= 2} ]"}, ".verdict"),
    ("fluid", {"measures": "population:ClientWaits", "exact": True}, "svg.plot path.band"),
    ("fit", {}, "svg.plot path.line"),
    ("export", {"format": "tra", "actions": True}, "pre.text"),
    ("mapping", {}, "svg.plot circle.used"),
]
LUMINANCE = """
    const style = getComputedStyle(document.documentElement);
    const light = (name) => {
        const hex = style.getPropertyValue(name).trim().slice(1);
        const part = (i) => { const c = parseInt(hex.slice(i, i + 2), 16) / 255;
            return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
        return 0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4);
    };
    const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
        return (x + 0.05) / (y + 0.05); };
    return Object.fromEntries(arguments[0].map(([a, b]) => [a + ' on ' + b, contrast(a, b)]));"""


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(MODEL)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        status, said = cls.server.end()
        assert status == 0, said

    def setUp(self):
        b = self.browser
        b.size(1280)
        b.scheme("light")
        b.go("about:blank")
        b.go(self.server.url)
        b.wait("return document.body.dataset.answered")
        b.complaints()

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def fill(self, view, fields):
        fill(self.browser, view, fields)

    def run_view(self, view, fields):
        self.assertRegex(run(self.browser, view, fields), "^Done in", view)

    def write(self, text):
        """Put a text into the editor, as typing does, and wait for the answer."""
        b = self.browser
        b.script("""delete document.body.dataset.answered;
            const area = document.querySelector('#editor textarea');
            area.value = arguments[0]; area.dispatchEvent(new Event('input'))""", text)
        b.wait("return document.body.dataset.answered")

    def check_width(self, what):
        self.assertEqual(self.browser.script(
            "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), True, what)

    def check_names(self, what):
        for role, name in self.browser.names():
            if role in ("button", "textbox", "checkbox", "combobox", "tab", "tabpanel", "img", "image", "link",
                        "region", "tablist", "table"):
                self.assertTrue(name.strip(), f"{what}: a {role} without a name")

    def test_views(self):
        b = self.browser
        for number, (view, fields, holds) in enumerate(VIEWS):
            with self.subTest(view=view, fields=fields):
                self.run_view(view, fields)
                found = b.script("return document.querySelectorAll(arguments[0]).length",
                                 f"#panel-{view} .result {holds}")
                self.assertGreater(found, 0)
                self.check_names(view)
                for scheme, width in (("light", 1280), ("dark", 1280), ("light", 400), ("dark", 400)):
                    b.scheme(scheme)
                    b.size(width)
                    if (scheme, width) == ("light", 400):
                        self.run_view(view, fields)  # pictures are drawn for the width
                    self.check_width((view, width))
                    if os.environ.get("PICTURES"):
                        b.picture(f"{os.environ['PICTURES']}/{number:02}-{view}-{scheme}-{width}.png")
                b.size(1280)
                b.scheme("light")

    def test_screenshot(self):
        """The page as text: its words, the bars of its picture, what its fields say, and nothing outside the window."""
        self.browser.size(1280, 1500)
        self.run_view("solve", {"measures": "response:{ClientWaits}"})
        root = xml.fromstring(svg_of(self.browser, "A & B", "what it shows"))
        self.browser.size(1280)
        name = "{http://www.w3.org/2000/svg}"
        words = [text.text for text in root.iter(f"{name}text")]
        for word in ("PEPA workbench", "Throughput: completions per unit of time", "response:{ClientWaits}", "auto",
                     "Client[clients] <*> Server[servers]"):
            self.assertIn(word, words)
        self.assertNotIn("Local state", words)  # of a table that is folded away
        self.assertEqual(root.find(f"{name}title").text, "A & B")
        bars = self.browser.script("return document.querySelectorAll('#panel-solve svg rect').length")
        drawn = sum(1 for picture in root.iter(f"{name}svg") if picture is not root for _ in picture.iter(f"{name}rect"))
        self.assertGreater(drawn, 0)
        self.assertLessEqual(drawn, bars)
        height = float(root.get("height"))
        for text in root.findall(f"{name}text"):
            self.assertLess(float(text.get("y")), height + 40)

    def test_contrast(self):
        b = self.browser
        pairs = [(ink, paper) for ink in ("--ink", "--quiet", "--accent", "--bad", "--warn", "--good")
                 for paper in ("--paper", "--ground")] + [("--on-accent", "--accent")]
        lines = [(f"--s{i}", "--paper") for i in range(8)]
        for scheme in ("light", "dark"):
            b.scheme(scheme)
            for least, list_ in ((4.5, pairs), (3, lines)):  # WCAG 2.1, 1.4.3 and 1.4.11
                for pair, contrast in b.script(LUMINANCE, list_).items():
                    self.assertGreaterEqual(contrast, least, (scheme, pair))

    def test_numbers_of_the_command(self):
        told = json.loads(subprocess.run([f"{BIN}/pepa", "solve", MODEL, "--json"], capture_output=True, text=True,
                                         check=True).stdout)
        shown = dict(self.browser.script("""return [...document.querySelectorAll('#panel-solve .result table tr')]
            .filter((r) => r.cells.length === 2 && r.cells[1].title)
            .map((r) => [r.cells[0].textContent, Number(r.cells[1].title)])"""))
        for name, value in {**told["throughput"], **told["population"]}.items():
            self.assertEqual(shown[name], value, name)

    def test_findings_of_the_command(self):
        self.write(WRONG)
        told = subprocess.run([f"{BIN}/pepa", "check", "-"], input=WRONG, capture_output=True, text=True,
                              check=False).stderr
        finding = re.search(r"^<stdin>:(\d+):(\d+): (error: .*)$", told, re.M)
        line, column, said = finding.groups()
        b = self.browser
        shown = b.script("""const li = document.querySelector('.findings li');
            return [li.querySelector('.link').textContent, li.querySelector('pre').textContent]""")
        self.assertTrue(shown[0].endswith(f":{line}:{column}: {said}"), shown)
        self.assertEqual(shown[1], "\n".join(told.split("\n")[1:3]))
        self.assertEqual(b.script("return document.querySelector('.marks mark.error').textContent"), "s")
        b.click(".findings .link")
        self.assertEqual(b.script("""const a = document.querySelector('#editor textarea');
            return [document.activeElement === a, a.value.slice(a.selectionStart, a.selectionStart + 1)]"""), [True, "s"])
        self.assertIn("old", b.script("return document.querySelector('#panel-solve .result').className"))
        if os.environ.get("PICTURES"):
            b.picture(f"{os.environ['PICTURES']}/findings.png")

    def active(self):
        return self.browser.script("""const e = document.activeElement;
            return e.id || e.name || e.textContent.trim() || e.tagName""")

    def test_keyboard_alone(self):
        b = self.browser
        b.script("document.querySelector('#editor textarea').focus()")
        b.keys(("control", "a"), "P = (go, 2).Q; Q = (back, 4).P;\nP")
        b.wait("""const c = [...document.querySelectorAll('#panel-solve td')].map((d) => d.textContent);
            return c.includes('go') && c.includes('back')""")
        b.keys("tab")  # leaves the editor
        self.assertNotEqual(b.script("return document.activeElement.tagName"), "TEXTAREA")
        for _ in range(20):
            if b.script("return document.activeElement.getAttribute('role') === 'tab'"):
                break
            b.keys("tab")
        self.assertEqual(self.active(), "tab-solve")
        for tab in ("structure", "states", "time", "passage", "experiment", "walk"):
            b.keys("right")
            self.assertEqual(self.active(), f"tab-{tab}")
        b.wait("return document.querySelector('#panel-walk .step')")
        for _ in range(20):
            if b.script("return document.activeElement.classList.contains('step')"):
                break
            b.keys("tab")
        b.keys("enter")
        b.wait("return document.querySelector('#panel-walk .state').textContent.startsWith('Step 1')")
        self.assertIn("Q", b.script("return document.querySelector('#panel-walk .state').textContent"))
        # Without reaching for a button: Ctrl+Enter runs the present view.
        b.script("document.querySelector('#tab-walk').focus()")
        b.keys("end")
        self.assertEqual(self.active(), "tab-mapping")
        b.keys(("control", "enter"))
        self.assertRegex(b.wait(SETTLED, "mapping"), "^Done in")
        b.keys("home", *["left"] * 7)
        self.assertEqual(self.active(), "tab-sensitivity")
        b.keys("tab", "throughput:go", "enter")
        self.assertRegex(b.wait(SETTLED, "sensitivity"), "^Done in")

    def test_fast_typing(self):
        """Each key ends the jobs of the one before."""
        b = self.browser
        self.write(MANY.replace("180", "60"))
        b.script("""window.wrong = []; new MutationObserver(() => {
            const said = document.querySelector('#panel-solve .status');
            if (said.classList.contains('error')) window.wrong.push(said.textContent);
        }).observe(document.querySelector('#panel-solve'), { subtree: true, childList: true, attributes: true });
            delete document.body.dataset.answered;
            document.querySelector('#editor textarea').focus()""")
        for _ in range(5):
            b.keys(" " * 10)
        b.wait("return document.body.dataset.answered")
        self.assertEqual(b.script("return window.wrong"), [])
        self.assertRegex(b.script("return document.querySelector('#panel-solve .facts').textContent"), "39,711")

    def test_server_gone(self):
        b = self.browser
        server = Server(MODEL)
        b.go(server.url)
        b.wait("return document.body.dataset.answered")
        self.assertEqual(server.end()[0], 0)
        b.click("#tab-time")
        b.click("#panel-time button.run")
        self.assertIn("has it ended?", b.wait(SETTLED, "time"))
        b.complaints()  # of the connection

    def test_limits_in_words(self):
        said = self.browser.script("""return import('./run.js').then((run) =>
            arguments[0].map((limit) => run.failure({ exit: null, signal: 9, limit })))""",
                                   ["time", "output", "storage", "cancelled"])
        for words, part in zip(said, ("--time-limit", "larger", "cannot store", "cancelled"), strict=True):
            self.assertIn(part, words)

    def test_walk_back(self):
        b = self.browser
        b.click("#tab-walk")
        step = "return document.querySelector('#panel-walk .state')?.textContent.startsWith(`Step ${arguments[0]}:`)"
        b.wait(step, 0)
        for number in (1, 2, 3):
            b.click("#panel-walk .step")
            b.wait(step, number)
        b.click("#panel-walk .history li:nth-child(1) button")
        b.wait(step, 1)
        b.click("#walk-back")
        b.wait(step, 0)
        self.fill("walk", {"until": "ServerBusy == 2"})
        b.click("#panel-walk button.run")
        b.wait("return document.querySelector('#panel-walk .state').textContent.includes('ServerBusy:2')")
        self.fill("walk", {"until": "Nonsense >= 1"})
        b.click("#panel-walk button.run")
        b.wait("return document.querySelector('#panel-walk .status.error')")
        b.click("#panel-walk button.run")  # the walk is where it was
        b.wait("return document.querySelector('#panel-walk .state').textContent.includes('ServerBusy:2')")

    def test_a_million_states(self):
        b = self.browser
        self.write(MANY)
        self.assertIn("on request", b.script("return document.querySelector('#panel-solve .status').textContent"))
        self.assertIn("No errors until 100000 states", b.script("return document.querySelector('#findings').textContent"))
        self.run_view("states", {})
        b.wait("return document.querySelector('.pager [role=status]').textContent.includes('of')")
        self.assertIn(f"of {MANY_STATES:,}", b.script("return document.querySelector('.pager [role=status]').textContent"))
        b.script("""const go = document.querySelector('.pager input'); go.value = '500001';
            go.dispatchEvent(new Event('change'))""")
        b.wait("return document.querySelector('#panel-states td').textContent === '500,001'")
        b.click(".pager button:nth-of-type(4)")
        b.wait("return [...document.querySelectorAll('#panel-states tr')].pop().cells[0].textContent === arguments[0]",
               f"{MANY_STATES:,}")
        self.assertEqual(b.script("return document.querySelectorAll('#panel-states tbody tr').length"), 100)
        self.run_view("states", {"where": "P == 180"})
        b.wait("return document.querySelector('.pager [role=status]').textContent.includes('1 to 1 of 1')")

    def test_cancel(self):
        b = self.browser
        self.write(LONG)
        b.click("#tab-fluid")
        self.fill("fluid", {"until": "100000", "points": "100000", "measures": "population:Q"})
        b.click("#panel-fluid button.run")
        b.wait("return /[1-9]/.test(document.querySelector('#panel-fluid .status').textContent)")
        b.script("document.querySelector('#panel-fluid .buttons [type=button]').focus()")
        b.keys("enter")
        self.assertEqual(b.wait(SETTLED, "fluid"), "Cancelled.")

    def test_downloads(self):
        b = self.browser
        b.script("""window.saved = {}; URL.createObjectURL = (blob) => { window.blob = blob; return '#'; };
            HTMLAnchorElement.prototype.click = function () { const name = this.download;
                window.blob.text().then((text) => { window.saved[name] = text; }); }""")
        self.run_view("solve", {"measures": "N = population:Client + 0"})
        for button in range(b.script("return document.querySelectorAll('#panel-solve .downloads button').length")):
            b.click(f"#panel-solve .downloads button:nth-of-type({button + 1})")
        names = {"throughput.csv", "population.csv", "utilisation.csv", "utilisation.svg", "population.svg",
                 "solution.json", "command.sh"}
        saved = b.wait("return Object.keys(window.saved).length === arguments[0] && window.saved", len(names))
        self.assertEqual(set(saved), names)
        self.assertEqual(saved["throughput.csv"].splitlines()[0], "Action,Throughput")
        for name in ("utilisation.svg", "population.svg"):
            self.assertIn("rgb(", saved[name])
            self.assertNotIn("var(", saved[name])
            self.assertTrue(b.script("""return new DOMParser().parseFromString(arguments[0], 'image/svg+xml')
                .querySelector('parsererror') === null""", saved[name]))
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as script:
            script.write(saved["command.sh"].rstrip("\n") + " --json\n")
            script.flush()
            again = subprocess.run(["sh", script.name], capture_output=True, text=True, check=True,
                                   env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}).stdout
        first, second = json.loads(saved["solution.json"]), json.loads(again)
        for data in (first, second):
            for member in ("seconds", "memory", "model"):
                del data[member]
        self.assertEqual(first, second)

    def test_open_and_save(self):
        b = self.browser
        path = os.path.abspath("models/mm1k.pepa")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        b.call("POST", f"/element/{b.find('#open')}/value", {"text": path})
        b.wait("return document.querySelector('#editor textarea').value === arguments[0]", text)
        self.assertEqual(b.script("return document.querySelector('#model-name').textContent"), "mm1k.pepa")
        b.wait("return document.querySelector('#panel-solve .facts')?.textContent.includes('11')")
        b.script("""URL.createObjectURL = (blob) => { window.blob = blob; return '#'; };
            HTMLAnchorElement.prototype.click = function () { const name = this.download;
                window.blob.text().then((text) => { window.saved = [name, text]; }); }""")
        b.click("#save")
        self.assertEqual(b.wait("return window.saved"), ["mm1k.pepa", text])

    def test_model_of_a_mapping(self):
        b = self.browser
        self.run_view("mapping", {})
        b.click("#panel-mapping .result div[aria-live] button")
        b.wait("return document.querySelector('#editor textarea').value.includes('process1')")
        b.wait("return document.querySelector('#findings .good')")

    def told(self, *command, text=None):
        return subprocess.run([f"{BIN}/pepa", *command], input=text, capture_output=True, text=True, check=True).stdout

    def test_new_views_say_what_commands_say(self):
        b = self.browser
        self.run_view("optimise", {"objective": "throughput:respond - rate:compute / 9", "within": "compute=0.5:4"})
        best = json.loads(self.told("optimise", MODEL, "--maximise", "throughput:respond - rate:compute / 9", "--within",
                                    "compute=0.5:4", "--json"))["rates"]["compute"]
        self.assertEqual(b.script("return document.querySelector('#panel-optimise td.number').title"), repr(best))
        b.click("#panel-optimise .result button")  # the model gets the rates
        b.wait("return document.querySelector('#editor textarea').value.includes(arguments[0])", f"compute = {best!r}")
        formula = "P=? [ true U[0,1] {ClientWaits >= 2} ]"
        b.go(self.server.url)
        b.wait("return document.body.dataset.answered")
        self.run_view("check", {"formula": formula})
        value = json.loads(self.told("check", MODEL, "--csl", formula, "--json"))["value"]
        self.assertIn(repr(value), b.script("return [...document.querySelectorAll('#panel-check td')].map((d) => d.title)"))
        self.run_view("export", {"format": "mtx"})
        with open(MODEL, encoding="utf-8") as file:
            exported = self.told("export", "-", "--format", "mtx", text=file.read())
        self.assertEqual(b.script("return document.querySelector('#panel-export pre.text').textContent"), exported)

    def test_fit(self):
        """The fitted distribution is that of the fitted rates: its curve against the closed form."""
        b = self.browser
        b.click("#tab-fit")
        b.script("""const a = document.querySelector('#panel-fit textarea');
            a.value = arguments[0]; a.dispatchEvent(new Event('input'))""", "\n".join(str(d) for d in (0.5, 1, 2, 3.5)))
        self.run_view("fit", {"family": "erlang", "phases": "1", "tested": False})
        rows = b.script("""return [...document.querySelectorAll('#panel-fit details tbody tr')].map((r) =>
            [...r.cells].map((c) => Number(c.title)))""")
        self.assertEqual(len(rows), 201)
        for time, share in rows:
            self.assertAlmostEqual(share, 1 - math.exp(-time / 1.75), delta=1e-9)
        b.script("""const a = document.querySelector('#panel-fit textarea');
            a.value = '1\\n2 x'; a.dispatchEvent(new Event('input'))""")
        b.click("#panel-fit button.run")
        self.assertIn("durations.txt:2:", b.wait(SETTLED, "fit"))
        self.assertTrue(b.script("return document.querySelectorAll('#panel-fit .marks mark.error').length > 0"))

    def test_wrong_input_of_the_new_views(self):
        b = self.browser
        for view, fields, says in (("optimise", {}, "Name the measure"), ("optimise", {"objective": "throughput:respond"}, "its range"),
                                   ("optimise", {"objective": "throughput:respond", "within": "nobody=1:2"}, "nobody"),
                                   ("check", {}, "Write a formula"), ("check", {"formula": "P>= [ x"}, "--csl:1:"),
                                   ("fit", {"phases": "many"}, "phases"), ("export", {"format": "lab", "labels": "x"}, "label")):
            b.go("about:blank")
            b.go(self.server.url)
            b.wait("return document.body.dataset.answered")
            b.click(f"#tab-{view}")
            self.fill(view, fields)
            b.click(f"#panel-{view} button.run")
            self.assertIn(says, b.wait(SETTLED, view))

    def test_wrong_description(self):
        b = self.browser
        b.click("#tab-mapping")
        b.script("""const a = document.querySelector('#panel-mapping textarea');
            a.value = 'pipeline { stage 1; }\\nprocessors { 1 tim 0.1; }'; a.dispatchEvent(new Event('input'))""")
        b.click("#panel-mapping button.run")
        self.assertIn("grid.amo:2:", b.wait(SETTLED, "mapping"))
        self.assertEqual(b.script("return document.querySelectorAll('#panel-mapping .marks mark').length > 0"), True)


if __name__ == "__main__":
    unittest.main()
