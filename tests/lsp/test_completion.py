"""What can be completed where, and what the lens solves."""
import glob
import json
import os
import subprocess
import unittest

from client import PEPA, Client, contents
from test_features import DESCRIPTION, MODEL, ROOT, URI


def items(c, text, language):
    """What is offered at the bar, which is not part of the text."""
    at = text.index("|")
    before = text[:at]
    c.notify("textDocument/didOpen", {"textDocument": {
        "uri": URI, "languageId": language, "version": 1, "text": before + text[at + 1:]}})
    line = before.count("\n")
    column = len(before[before.rfind("\n") + 1:].encode("utf-16-le")) // 2
    return c.at("textDocument/completion", line, column)["result"]


def labels(c, text, language="pepa"):
    return [each["label"] for each in items(c, text, language)]


def labels_of_kinds(c, text, language, kinds):
    return [each["label"] for each in items(c, text, language) if each["kind"] in kinds]


class Completion(unittest.TestCase):
    HEAD = "/* \U0001F600 */ r = 2; s = r;\nP = (go, r).Q + (stop, s).P;\nQ = (\"in a set\", 1).P;\n"

    def test_contexts(self):
        actions = ["go", "stop", '"in a set"']
        c = Client()
        for end, wanted, unwanted in (
                ("R = (go, |", ["r", "s", "infty", "min", "erlang", "if"], actions),
                ("R = (go, r|", ["r", "s"], actions),
                ("R = (go, 2 * (s + |)).P;\nP", ["r", "s", "P"], actions),
                ("t = |", ["r", "s", "exp"], actions),
                ("t = max(r, |);\nP", ["r", "s"], actions),
                ("R = (|", actions + ["P", "Q"], ["r", "infty"]),
                ("R = (g|", actions + ["P", "Q"], ["r", "infty"]),
                ("R = (go, r).|", ["P", "Q", "R", "Stop"], actions + ["r"]),
                ("R = (go, r).P + |", ["P", "Q"], actions + ["r"]),
                ("P <|", actions, ["r", "P"]),
                ("P <go, s|> Q", actions, ["r", "P"]),
                ("P / {|}", actions, ["r", "P"]),
                ("P[|", ["r"], actions),
                ("P[2][|", actions, ["r"]),
                ("P[2]{|", actions, ["r"]),
                ("(P <go> |", ["P", "Q"], actions + ["r"]),
                ("|", ["P", "Q"], actions + ["r"]),
                ("R = (go, r // x, |", [], ["r", "P"]),
                ("R = (\"g|o\", r).P", [], ["r", "P"] + actions)):
            found = labels(c, self.HEAD + end)
            self.assertEqual([w for w in wanted if w not in found], [], end)
            self.assertEqual([u for u in unwanted if u in found], [], end)
            self.assertEqual(len(set(found)), len(found), end)
        self.assertEqual(c.quit(), 0)

    def test_value(self):
        c = Client()
        c.open(MODEL)
        found = c.at("textDocument/completion", 3, 17)["result"]
        self.assertIn({"label": "mu", "kind": 21, "detail": "rate, 3"}, found)
        self.assertEqual(c.quit(), 0)

    def test_description(self):
        c = Client()
        found = labels(c, DESCRIPTION + "|", "amoget")
        for name in ("pipeline", "latency", "raw", "a", "b", "site", "decode"):
            self.assertIn(name, found)
        self.assertEqual(len(set(found)), len(found))
        self.assertEqual(c.quit(), 0)


def solve(c, uri=URI):
    return c.ask("workspace/executeCommand", {"command": "pepa.solve", "arguments": [uri]})


class Solving(unittest.TestCase):
    def test_lens(self):
        c = Client()
        c.open(MODEL)
        lens, = c.request("textDocument/codeLens", {"textDocument": {"uri": URI}})
        self.assertEqual(lens["range"], {"start": {"line": 7, "character": 0},
                                         "end": {"line": 7, "character": 17}})
        result = c.request("workspace/executeCommand", lens["command"])
        self.assertEqual(result["states"], 3)
        self.assertIn("3 states", c.wait("window/showMessage")["message"])
        self.assertIn("| arrive | ", result["text"])
        c.change([{"text": "P = "}])
        self.assertEqual(c.request("textDocument/codeLens", {"textDocument": {"uri": URI}}), [])
        self.assertEqual(solve(c)["error"]["code"], -32803)
        self.assertEqual(c.quit(), 0)

    def test_one_state(self):
        c = Client()
        c.open("P = (a, 2).P;\nP")
        result = solve(c)["result"]
        self.assertEqual((result["title"], result["states"]), ("1 state, nothing to solve", 1))
        self.assertEqual(result["throughput"], {"a": 2})
        self.assertEqual(c.quit(), 0)

    def test_same_as_the_command(self):
        c = Client()
        compared = 0
        for path in sorted(glob.glob(os.path.join(ROOT, "models", "*.pepa")))[:30]:
            run = subprocess.run([PEPA, "solve", "--json", "--max-states", "3000", path],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if run.returncode != 0:
                continue
            c.open(contents(path), "file://" + path)
            said = json.loads(run.stdout)["throughput"]
            found = solve(c, "file://" + path)["result"]["throughput"]
            self.assertEqual(set(said), set(found), path)
            for action, value in said.items():
                self.assertAlmostEqual(found[action], value, delta=1e-6 * (1 + abs(value)))
            compared += 1
        self.assertGreater(compared, 15)
        self.assertEqual(c.quit(), 0)

    def test_limits(self):
        c = Client()
        c.open("P = (a, 1).Q;\nQ = (b, 1).P;\n" + " || ".join(["P"] * 40) + "\n")
        self.assertIn("pepa solve", solve(c)["error"]["message"])
        ring = ["P%d = (a, 1).P%d;" % (i, (i + 1) % 6000) for i in range(6000)]
        c.open("\n".join(ring) + "\nP0")
        self.assertIn("6000 local states", solve(c)["error"]["message"])
        self.assertEqual(solve(c, "file:///none")["error"]["code"], -32602)
        for params in (None, {}, {"command": "x"}, {"command": "pepa.solve"},
                       {"command": "pepa.solve", "arguments": [1]}):
            self.assertEqual(c.ask("workspace/executeCommand", params)["error"]["code"], -32602)
        c.open(DESCRIPTION, language="amoget")
        self.assertEqual(solve(c)["error"]["code"], -32803)
        self.assertEqual(c.quit(), 0)

    def test_cancelled(self):
        """While it runs, or before; a machine that is too quick for that meets the limit of states."""
        c = Client()
        c.open("P = (a, 1).Q;\nQ = (b, 1).P;\n" + " || ".join(["P"] * 40) + "\n")
        number = c.begin("workspace/executeCommand", {"command": "pepa.solve", "arguments": [URI]})
        c.notify("$/cancelRequest", {"id": number})
        self.assertIn(c.answer(number)["error"]["code"], (-32800, -32803))
        number = c.begin("workspace/executeCommand", {"command": "pepa.solve", "arguments": [URI]})
        c.notify("exit", None)
        self.assertIn(c.answer(number)["error"]["code"], (-32800, -32803))
        self.assertEqual(c.end(), 1)


if __name__ == "__main__":
    unittest.main()
