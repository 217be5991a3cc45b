"""The files of editors/ against the language that the server completes."""
import glob
import json
import os
import re
import unittest
import xml.etree.ElementTree as ET

from client import Client, contents
from test_completion import labels_of_kinds
from test_features import DESCRIPTION, ROOT

KEYWORD, FUNCTION = 14, 3
MODEL = "r = 1;\nP = (a, r).P;\nQ = (b, |"


def files(language):
    """The texts that colour a language, by path."""
    editors = os.path.join(ROOT, "editors")
    paths = [os.path.join(editors, *each) for each in (
        ("vim", "syntax", f"{language}.vim"),
        ("vscode", "syntaxes", f"{language}.tmLanguage.json"),
        ("kate", f"{language}.xml"),
        ("emacs", "pepa-mode.el"))]
    return {path: contents(path) for path in paths}


class Editors(unittest.TestCase):
    def test_words(self):
        """Every word of the languages is one to every editor."""
        c = Client()
        for language, text in (("pepa", MODEL), ("amoget", DESCRIPTION + "|")):
            words = labels_of_kinds(c, text, language, (KEYWORD, FUNCTION))
            self.assertGreater(len(words), 10)
            for path, coloured in files(language).items():
                found = set(re.findall(r"[a-z-]+", coloured))
                self.assertEqual([w for w in words if w not in found], [], path)
        self.assertEqual(c.quit(), 0)

    def test_well_formed(self):
        editors = os.path.join(ROOT, "editors")
        read = 0
        for path in glob.glob(os.path.join(editors, "**", "*"), recursive=True):
            if path.endswith(".json"):
                json.loads(contents(path))
            elif path.endswith(".xml"):
                ET.parse(path)
            else:
                continue
            read += 1
        self.assertGreaterEqual(read, 8)

    def test_modes_of_kate(self):
        """The server is started for the names that the files of colours give to the languages."""
        kate = os.path.join(ROOT, "editors", "kate")
        servers = json.loads(contents(os.path.join(kate, "lsp.json")))["servers"].values()
        modes = [s["highlightingModeRegex"] for s in servers]
        for path in glob.glob(os.path.join(kate, "*.xml")):
            name = ET.parse(path).getroot().get("name")
            self.assertEqual([bool(re.search(m, name)) for m in modes].count(True), 1, path)


if __name__ == "__main__":
    unittest.main()
