"""What is answered about names: hovers, definitions, uses, renaming, outlines."""
import glob
import os
import random
import re
import unittest

from client import Client, contents

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
URI = "file:///nowhere/model.pepa"
MODEL = """\
// \u00e9\U0001F600 rates
lambda = 2;
mu = lambda * 1.5; /* \U0001F600 */ nu = 1;
Idle = (arrive, lambda).Busy;
Busy = (serve, mu).Idle + (fail, 2 * nu).Down;
Down = (repair, infty).Idle;
Man = (repair, nu / 4).Man;
Idle <repair> Man
"""
DESCRIPTION = """\
# \u00e9\U0001F600
raw = 2 MB; link = 3 ms;
pipeline { stage decode work 1 output raw; stage encode; }
processors { a time 1 s cluster site; b time 2 s; }
network { latency default link; latency local 1 us; latency site a 1 ms; }
input a size raw;
mappings { (a, b); }
"""


def start(text, language="pepa"):
    c = Client()
    c.open(text, language=language)
    return c


def places(answer):
    return [(each["range"]["start"]["line"], each["range"]["start"]["character"],
             each["range"]["end"]["character"]) for each in answer["result"]]


def offset(text, position):
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[:position["line"]])
    units = lines[position["line"]].encode("utf-16-le")[:2 * position["character"]]
    return before + len(units.decode("utf-16-le"))


def apply(text, edits):
    """The text after edits whose ranges are those of the text before."""
    spans = sorted(((offset(text, e["range"]["start"]), offset(text, e["range"]["end"]),
                     e["newText"]) for e in edits), reverse=True)
    for begin, end, new in spans:
        text = text[:begin] + new + text[end:]
    return text


class Hover(unittest.TestCase):
    def hover(self, c, line, character):
        answer = c.at("textDocument/hover", line, character)["result"]
        return answer and answer["contents"]["value"]

    def test_model(self):
        c = start(MODEL)
        self.assertIn("rate `lambda` = 2, 2 uses", self.hover(c, 1, 3))
        self.assertIn("rate `mu` = 3, 1 use\n", self.hover(c, 2, 0))
        self.assertIn("mu = lambda * 1.5;", self.hover(c, 2, 1))
        busy = self.hover(c, 3, 25)
        self.assertIn("process `Busy`, 1 use", busy)
        self.assertIn("3 local states", busy)
        self.assertIn("Busy\n    (serve, 3) -> Idle\n    (fail, 2) -> Down\n", busy)
        self.assertIn("Down\n    (repair, infty) -> Idle\n", busy)
        repair = self.hover(c, 6, 8)
        self.assertIn("action `repair`: 2 activities in `Down`, `Man`, 1 set", repair)
        self.assertIn("here at rate 0.25", repair)
        self.assertIn("1 set", self.hover(c, 7, 8))
        self.assertIsNone(self.hover(c, 0, 4))
        self.assertIsNone(self.hover(c, 99, 99))
        self.assertEqual(c.quit(), 0)

    def test_with_errors(self):
        """What can be read is told, without values."""
        c = start(MODEL.replace("nu = 1", "nu = "))
        self.assertIn("rate `lambda`, 2 uses", self.hover(c, 1, 3))
        self.assertEqual(c.quit(), 0)

    def test_functional_and_weights(self):
        c = start("r = 2 * P;\nP = (a, r).Q;\nQ = (b, 3 * infty).P;\nR = (b, 1).R;\nP[2] <b> R\n")
        self.assertIn("depends on the state", self.hover(c, 0, 0))
        text = self.hover(c, 1, 0)
        self.assertIn("(a, depends on the state) -> Q", text)
        self.assertIn("(b, 3 * infty) -> P", text)
        self.assertEqual(c.quit(), 0)

    def test_description(self):
        c = start(DESCRIPTION, "amoget")
        self.assertIn("value `raw` = 2000000 B, 2 uses", self.hover(c, 1, 0))
        self.assertIn("value `link` = 0.003 s, 1 use", self.hover(c, 4, 28))
        self.assertIn("stage `decode`", self.hover(c, 2, 18))
        self.assertIn("a time 1 s cluster site", self.hover(c, 5, 6))
        self.assertEqual(c.quit(), 0)


class Navigation(unittest.TestCase):
    def test_definition(self):
        c = start(MODEL)
        self.assertEqual(places(c.at("textDocument/definition", 3, 16)), [(1, 0, 6)])
        self.assertEqual(places(c.at("textDocument/definition", 4, 38)), [(2, 28, 30)])
        self.assertEqual(places(c.at("textDocument/definition", 7, 0)), [(3, 0, 4)])
        self.assertEqual(places(c.at("textDocument/definition", 7, 8)), [(5, 8, 14), (6, 7, 13)])
        self.assertEqual(places(c.at("textDocument/definition", 0, 0)), [])
        self.assertEqual(c.quit(), 0)

    def test_references(self):
        c = start(MODEL)
        for declared in (True, False):
            found = places(c.at("textDocument/references", 3, 25,
                                context={"includeDeclaration": declared}))
            self.assertEqual(found, [(3, 24, 28)] + ([(4, 0, 4)] if declared else []))
        found = c.at("textDocument/documentHighlight", 1, 0)["result"]
        self.assertEqual([each["kind"] for each in found], [3, 2, 2])
        self.assertEqual(c.quit(), 0)

    def test_description(self):
        c = start(DESCRIPTION, "taag")
        self.assertEqual(places(c.at("textDocument/definition", 5, 13)), [(1, 0, 3)])
        self.assertEqual(places(c.at("textDocument/references", 3, 13,
                                     context={"includeDeclaration": True})),
                         [(3, 13, 14), (4, 65, 66), (5, 6, 7), (6, 12, 13)])
        self.assertEqual(places(c.at("textDocument/definition", 4, 60)), [(3, 32, 36)])
        self.assertEqual(c.quit(), 0)

    def test_symbols(self):
        c = start(MODEL)
        found = c.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual([each["name"] for each in found],
                         ["lambda", "mu", "nu", "Idle", "Busy", "Down", "Man", "system equation"])
        self.assertEqual(found[2]["selectionRange"]["start"], {"line": 2, "character": 28})
        c.open(DESCRIPTION, language="amoget")
        found = c.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual([each["name"] for each in found],
                         ["raw", "link", "decode", "encode", "a", "b"])
        self.assertEqual(c.quit(), 0)


class Renaming(unittest.TestCase):
    def rename(self, c, line, character, name):
        return c.at("textDocument/rename", line, character, newName=name)

    def test_renaming(self):
        c = start(MODEL)
        result = self.rename(c, 3, 25, "Working")["result"]
        self.assertEqual(apply(MODEL, result["changes"][URI]), MODEL.replace("Busy", "Working"))
        result = self.rename(c, 7, 7, '"mend it"')["result"]
        self.assertEqual(apply(MODEL, result["changes"][URI]), MODEL.replace("repair", '"mend it"'))
        result = c.at("textDocument/prepareRename", 2, 29)["result"]
        self.assertEqual(result["start"], {"line": 2, "character": 28})
        self.assertEqual(c.quit(), 0)

    def test_refusals(self):
        c = start(MODEL)
        for line, character, name, why in (
                (1, 0, "mu", "another rate is called `mu` already (line 3)"),
                (3, 0, "Man", "another process is called `Man` already (line 7)"),
                (3, 8, "serve", "another action is called `serve` already"),
                (1, 0, "Mu", "is not a name"), (1, 0, "a b", "is not a name"),
                (1, 0, "", "is not a name"), (1, 0, "infty", "reserved"), (1, 0, '"q"', "not a name"),
                (3, 0, "idle", "is not a name"), (3, 0, "T", "reserved"), (3, 0, "Stop", "reserved"),
                (3, 0, '""', "is not a name"), (3, 0, '"a"b"', "is not a name"),
                (3, 8, "tau", "reserved"), (3, 8, "9", "is not a name"),
                (3, 8, '"a\nb"', "is not a name"), (0, 0, "x", "no name")):
            answer = self.rename(c, line, character, name)
            self.assertIn(why, answer.get("error", {}).get("message", ""), (name, answer))
            self.assertEqual(answer["error"]["code"], -32803)
        self.assertEqual(c.at("textDocument/rename", 1, 0)["error"]["code"], -32602)
        c.change([{"text": MODEL + "Q"}])
        self.assertIn("syntax", self.rename(c, 1, 0, "z")["error"]["message"])
        self.assertEqual(c.quit(), 0)

    def test_description(self):
        c = start(DESCRIPTION, "amoget")
        for line, character, name, after in (
                (1, 1, "image", DESCRIPTION.replace("raw", "image")),
                (2, 50, "pack", DESCRIPTION.replace("encode", "pack")),
                (6, 15, "b2", DESCRIPTION.replace("b time", "b2 time").replace(", b)", ", b2)")),
                (3, 32, "7", DESCRIPTION.replace("site", "7")),
                (4, 60, "work", DESCRIPTION.replace("site", "work"))):
            answer = self.rename(c, line, character, name)
            self.assertEqual(apply(DESCRIPTION, answer["result"]["changes"][URI]), after)
        self.assertEqual(c.quit(), 0)

    def test_description_refusals(self):
        c = start(DESCRIPTION, "amoget")
        for line, character, name, why in (
                (1, 0, "link", "another value is called `link` already (line 2)"),
                (3, 13, "b", "another processor is called `b` already (line 4)"),
                (3, 13, "site", "a cluster is called `site` already (line 4)"),
                (3, 32, "a", "a processor is called `a` already (line 4)"),
                (2, 18, "encode", "another stage is called `encode` already (line 3)"),
                (1, 0, "3", "is not a name of a value"), (1, 0, "max-age", "is not a name"),
                (1, 0, "", "is not a name"), (3, 13, "3x", "is not a name"),
                (3, 13, '"q"', "is not a name"), (3, 13, "local", "reserved"),
                (3, 13, "a;b", "is not a name"), (0, 0, "x", "no name of a value, stage")):
            answer = self.rename(c, line, character, name)
            self.assertIn(why, answer.get("error", {}).get("message", ""), (name, answer))
            self.assertEqual(answer["error"]["code"], -32803)
        c.change([{"text": DESCRIPTION.replace("cluster site", "cluster sity")}])
        self.assertIn("`site` is not defined", self.rename(c, 4, 60, "z")["error"]["message"])
        c.change([{"text": DESCRIPTION + "}"}])
        self.assertIn("syntax", self.rename(c, 1, 0, "z")["error"]["message"])
        self.assertEqual(c.quit(), 0)

    def test_measured(self):
        """A file of measurements names processors as well: these keep their names."""
        path = os.path.join(ROOT, "examples", "monitored.amo")
        uri, text = "file://" + os.path.abspath(path), contents(path)
        c = Client()
        c.open(text, uri, "amoget")
        line = next(i for i, each in enumerate(text.split("\n")) if each.startswith("  1 time"))
        self.assertIn("files that it includes",
                      c.at("textDocument/rename", line, 2, uri, newName="p")["error"]["message"])
        self.assertEqual(c.quit(), 0)

    def test_values_everywhere(self):
        """A value can stand wherever there is a number; also as what a round costs."""
        text = ("v = 1;\nprocessors { p time v cores v availability v memory v; q time v; }\n"
                "network { latency default v; latency local v; bandwidth p q v; }\n"
                "program { ring 2; work v; data v; phases v; }\n")
        c = start(text, "taag")
        answer = self.rename(c, 0, 0, "w1")
        self.assertEqual(apply(text, answer["result"]["changes"][URI]),
                         re.sub(r"\bv\b", "w1", text))
        text = "v = 3 s;\ninput p size v;\ninclude \"x.csv\" max-age v;\n"
        c.open(text, language="amoget")
        self.assertEqual(len(c.at("textDocument/documentHighlight", 0, 0)["result"]), 3)
        self.assertEqual(c.quit(), 0)

    def test_all_descriptions(self):
        """Every name of every description: renamed there and back, the text is the same; only it
        has changed between, and findings are as many."""
        chance = random.Random(2)
        c = Client()
        renamed = 0
        for path in (sorted(glob.glob(os.path.join(ROOT, "examples", "*.amo"))) +
                     sorted(glob.glob(os.path.join(ROOT, "tests", "cli", "models", "**", "*.amo")))):
            text, uri = contents(path), "file://" + path
            before = c.open(text, uri, "amoget")
            for word in chance.sample(list(re.finditer(r"\w+", re.sub(
                    "#.*", lambda m: " " * len(m[0]), text))), 12):
                line = text.count("\n", 0, word.start())
                at = word.start() - text.rfind("\n", 0, word.start()) - 1
                answer = c.at("textDocument/rename", line, at, uri, newName="zz_new")
                if "error" in answer:
                    continue
                renamed += 1
                edits = answer["result"]["changes"][uri]
                there = apply(text, edits)
                self.assertEqual(len(there) - len(text), len(edits) * (6 - len(word[0])), path)
                self.assertEqual(len(c.open(there, uri, "amoget")), len(before), (path, word[0]))
                first = edits[0]["range"]["start"]
                back = c.at("textDocument/rename", first["line"], first["character"], uri,
                            newName=word[0])
                self.assertEqual(apply(there, back["result"]["changes"][uri]), text)
                c.open(text, uri, "amoget")
            c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.assertGreater(renamed, 60)
        self.assertEqual(c.quit(), 0)

    def test_all_models(self):
        """Renaming there and back gives the text, and there are no findings that were not before."""
        chance = random.Random(1)
        c = Client()
        for path in sorted(glob.glob(os.path.join(ROOT, "models", "*.pepa"))):
            text = contents(path)
            uri = "file://" + path
            before = c.open(text, uri)
            lines = text.split("\n")
            for _ in range(4):
                line = chance.randrange(len(lines))
                words = [m for m in re.finditer(r"[A-Za-z]\w*", lines[line].split("//")[0])
                         if not lines[line].lstrip().startswith("%")]
                if not words:
                    continue
                word = chance.choice(words)
                new = "zz_new" if word[0][0].islower() else "Zz_new"
                at = len(lines[line][:word.start()].encode("utf-16-le")) // 2
                answer = c.at("textDocument/rename", line, at, uri, newName=new)
                if "error" in answer:
                    continue
                edits = answer["result"]["changes"][uri]
                first = edits[0]["range"]["start"]  # nothing before it changes
                there = apply(text, edits)
                self.assertNotEqual(there, text)
                found = c.open(there, uri)
                self.assertEqual(len(found), len(before), (path, word[0], found))
                back = c.at("textDocument/rename", first["line"], first["character"], uri,
                            newName=word[0])
                self.assertEqual(apply(there, back["result"]["changes"][uri]), text)
                c.open(text, uri)
            c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.assertEqual(c.quit(), 0)


if __name__ == "__main__":
    unittest.main()
