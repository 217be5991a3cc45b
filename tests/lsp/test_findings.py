"""Diagnostics: those of `pepa check` and `amoget`, with exact ranges."""
import glob
import json
import os
import re
import subprocess
import tempfile
import unittest

from client import PEPA, Client, contents

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MODELS = sorted(glob.glob(os.path.join(ROOT, "models", "*.pepa")) +
                glob.glob(os.path.join(ROOT, "tests", "cli", "models", "*.pepa")) +
                glob.glob(os.path.join(ROOT, "tests", "fuzz", "models", "*.pepa")))


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


def command_says(path, most_states):
    """What `pepa check` finds: (severity, line, column of characters, message), from 1."""
    run = subprocess.run([PEPA, "check", "--json", "--max-states", str(most_states), path],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if not run.stdout:
        return None, run.returncode
    return [(d["severity"], d["line"] or 0, d["column"] or 0, d["message"])
            for d in json.loads(run.stdout)["diagnostics"]], run.returncode


def seen_by_client(text, found):
    lines = text.split("\n")
    seen = []
    for d in found:
        start = d["range"]["start"]
        units = lines[start["line"]].encode("utf-16-le")[:2 * start["character"]]
        place = (start["line"] + 1, len(units.decode("utf-16-le")) + 1)
        seen.append(("error" if d["severity"] == 1 else "warning",) + place + (d["message"],))
    return seen


def comparable(findings):
    """Findings about the whole model are shown in the first line."""
    return sorted((severity, line or 1, column or 1, message)
                  for severity, line, column, message in findings)


class SameAsTheCommand(unittest.TestCase):
    def test_all_models(self):
        self.assertGreater(len(MODELS), 60)
        c = Client()
        compared = 0
        for path in MODELS:
            text = contents(path)
            if "\ufffd" in text or "\r" in text.replace("\r\n", ""):
                continue  # not UTF-8, or lines that the two count in different ways
            uri = "file://" + os.path.abspath(path)
            found = c.open(text, uri)
            said, status = command_says(os.path.abspath(path), 20000)
            durations = said and any("for `pepa simulate` only" in each[3] for each in said)
            if said is None or status == 4 or durations:
                # a chain that is too large, or none: findings about the text only
                self.assertEqual([d for d in found if d["severity"] == 1], [], path)
            else:
                self.assertEqual(comparable(seen_by_client(text, found)), comparable(said), path)
                compared += 1
            c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
            self.assertEqual(c.findings(uri), [])
        self.assertGreater(compared, 50)
        self.assertEqual(c.quit(), 0)


class Descriptions(unittest.TestCase):
    def test_same_as_the_commands(self):
        """What amoget and taag print with a place is what the client sees there."""
        folder = os.path.join(ROOT, "tests", "cli", "models")
        amoget = os.path.join(os.path.dirname(PEPA), "amoget")
        c = Client()
        compared = 0
        for name in ("wrong.amo", "unlinked.amo", "alike.amo", "line.amo"):
            path = os.path.abspath(os.path.join(folder, name))
            run = subprocess.run([amoget, path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            said = re.findall(r"^[^\n]*?:(\d+):(\d+): (error|warning): (.*)$", run.stderr.decode(),
                              re.MULTILINE)
            text = contents(path)
            found = seen_by_client(text, c.open(text, "file://" + path, "amoget"))
            self.assertEqual(sorted(found), sorted((severity, int(line), int(column), message)
                                                   for line, column, severity, message in said))
            compared += len(said)
        self.assertGreater(compared, 5)
        self.assertEqual(c.quit(), 0)

    def test_machines_alone(self):
        """Descriptions of machines without a pipeline are for taag, and no error."""
        c = Client()
        path = os.path.join(ROOT, "tests", "cli", "models", "taag", "bare.amo")
        self.assertEqual(c.open(contents(path), "file:///n/bare.amo", "taag"), [])
        self.assertEqual(c.quit(), 0)


class Ranges(unittest.TestCase):
    def check(self, text, *expected):
        c = Client()
        found = [(d["severity"], d["range"]["start"]["line"], d["range"]["start"]["character"],
                  d["range"]["end"]["line"], d["range"]["end"]["character"]) for d in c.open(text)]
        self.assertEqual(found, list(expected))
        self.assertEqual(c.quit(), 0)

    def test_utf16(self):
        # one unit of UTF-16 for each of the first two letters, two for each face
        before = "/* \u00e9\u4e16\U0001F600\U0001F600 */ "
        column = utf16(before)
        self.assertEqual(column, 13)
        self.check(before + "P = (a, nought).(b, 1).P;\nP\n", (1, 0, column + 8, 0, column + 14))

    def test_several_errors(self):
        self.check("r = ;\nP = (a, s).Q;\nP <a Q\n", (1, 0, 4, 0, 5), (1, 1, 8, 1, 9),
                   (1, 1, 11, 1, 12), (1, 2, 4, 2, 4), (1, 3, 0, 3, 0))

    def test_line_ends(self):
        self.check("r = 1;\r\nP = (a, s).(b, r).P;\r\nP\r\n", (1, 1, 8, 1, 9))
        self.check("r = 1;\rP = (a, s).(b, r).P;\rP\r", (1, 1, 8, 1, 9))

    def test_over_lines(self):
        """A range that ends in another line than it begins."""
        self.check("P = (a, 1 -\n  1).(b, 1).P;\nP\n", (1, 0, 8, 1, 3))

    def test_files_that_a_model_names(self):
        """Their folder is that of the URI, with %XX undone; their mistakes are shown at the name."""
        text = "P = (a, trace(\"d.csv\")).(b, 1).P;\nP\n"
        c = Client()
        with tempfile.TemporaryDirectory() as folder:
            inner = os.path.join(folder, "\u00e9 b")
            os.mkdir(inner)
            uri = "file://" + folder + "/%C3%a9%20b/m.pepa"
            found, = c.open(text, uri)
            self.assertIn("cannot be read", found["message"])
            self.assertEqual(found["range"]["start"], {"line": 0, "character": 14})
            for durations, errors in (("duration\n1\n2\n", 0), ("duration\n1\nx\n", 1)):
                with open(os.path.join(inner, "d.csv"), "w") as file:
                    file.write(durations)
                found = [d for d in c.open(text, uri) if d["severity"] == 1]
                self.assertEqual(len(found), errors, found)
        self.assertEqual(c.quit(), 0)

    def test_nul(self):
        self.check("P = (a, 1).P;\0\nP\n", (1, 0, 13, 0, 14))

    def test_empty(self):
        c = Client()
        self.assertEqual(len(c.open("")), 1)
        self.assertEqual(c.quit(), 0)


class WhenTheyCome(unittest.TestCase):
    TEXT = "P = (a, 1).P;\nQ = (b, infty).Q;\nP || Q\n"

    def test_chain(self):
        """What only exploring shows comes when a text is opened or saved, not while it is typed."""
        c = Client()
        first = c.open(self.TEXT)
        self.assertTrue(any("passive" in d["message"] for d in first), first)
        c.change([{"text": self.TEXT + " "}])
        typed = c.findings()
        self.assertFalse(any("nothing to drive" in d["message"] for d in typed), typed)
        c.notify("textDocument/didSave", {"textDocument": {"uri": "file:///nowhere/model.pepa"}})
        self.assertEqual(c.findings(), first)
        self.assertEqual(c.quit(), 0)


if __name__ == "__main__":
    unittest.main()
