"""The layout of models and descriptions: nothing but blanks changes, and the second time nothing does."""
import glob
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest

from client import PEPA, Client, contents
from test_features import URI, apply

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
DESCRIPTIONS = [path for folder in ("examples", "tests/cli/models", "tests/cli/models/taag")
                for path in sorted(glob.glob(os.path.join(ROOT, folder, "*.amo")))]
FOLDERS = ("models", "tests/cli/models", "tests/fuzz/models", "bench/models")


def exported(text):
    """What the command prints of the model, or None where it is none."""
    with tempfile.NamedTemporaryFile("w", suffix=".pepa", newline="") as file:
        file.write(text)
        file.flush()
        run = subprocess.run([PEPA, "export", "--format", "pepa", file.name],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return run.stdout if run.returncode == 0 else None


def formatted(c, text, language="pepa"):
    """The text as the server lays it out, or None where it does not."""
    c.notify("textDocument/didOpen", {"textDocument": {
        "uri": URI, "languageId": language, "version": 1, "text": text}})
    answer = c.ask("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {
        "tabSize": 4, "insertSpaces": True}})
    return apply(text, answer["result"]) if "result" in answer else None


class Layout(unittest.TestCase):
    def check(self, before, after):
        c = Client()
        self.assertEqual(formatted(c, before), after)
        self.assertEqual(formatted(c, after), after)
        self.assertEqual(c.quit(), 0)

    def test_blanks(self):
        self.check("r=1 ;P= ( a,r ).P+(b , 2*r-1/-3) .Q;\nQ=(c,1).P;\nP<a,b>Q  [ 3 ]{a}||P/{ c }",
                   "r = 1; P = (a, r).P + (b, 2 * r - 1 / -3).Q;\nQ = (c, 1).P;\n"
                   "P <a, b> Q[3]{a} || P / {c}\n")

    def test_comparisons_and_sets(self):
        self.check("P=(a,if P<2&&!(Q>=1)then 1 else min(2,3)).Q;\nQ=a.P;\nP<*>(Q<>P)<a,\"b c\">Q",
                   "P = (a, if P < 2 && !(Q >= 1) then 1 else min(2, 3)).Q;\nQ = a.P;\n"
                   "P <*> (Q <> P) <a, \"b c\"> Q\n")

    def test_columns(self):
        self.check("lambda=1; // one\nmu = 2;//\u00e9\U0001F600\n\n\n\nP=(a,mu).P // first\n"
                   "+(b,lambda).P\n  // alone\n+ (c, 1).\nP;\nP",
                   "lambda = 1;  // one\nmu     = 2;  //\u00e9\U0001F600\n\n"
                   "P = (a, mu).P  // first\n  + (b, lambda).P\n    // alone\n  + (c, 1).\n    P;\n"
                   "P\n")

    def test_comments(self):
        self.check("/* a\n   b  */ r=1;\n% r = 2 is a remark\n%s=3;\n  % t = 4;\n#P=(a,s).P;% end  \n"
                   "P /* x */ || /* y */P",
                   "/* a\n   b  */ r = 1;\n% r = 2 is a remark\n% s = 3;\n% t = 4;\n"
                   "#P  = (a, s).P;  % end\nP /* x */ || /* y */ P\n")

    def test_no_set(self):
        """Between these `<` and `>` stand names, but no commas."""
        self.check("\n\n\nr=1;\nP=(a,if P<r then r else if P>r then 2 else 3).Q;\nQ=(b,1).P;\nP",
                   "r = 1;\nP = (a, if P < r then r else if P > r then 2 else 3).Q;\n"
                   "Q = (b, 1).P;\nP\n")

    def test_line_ends(self):
        self.check("\ufeffr=1;\r\n\r\n\r\nP=(a,r).P;\r\nP",
                   "\ufeffr = 1;\r\n\r\nP = (a, r).P;\r\nP\r\n")

    def test_refusals(self):
        c = Client()
        self.assertIsNone(formatted(c, "r = ;\nP = (a, r).P;\nP"))
        self.assertIsNone(formatted(c, "pipeline { stage ; }", "amoget"))
        self.assertEqual(c.quit(), 0)


class LayoutOfDescriptions(unittest.TestCase):
    def check(self, before, after):
        c = Client()
        self.assertEqual(formatted(c, before, "amoget"), after)
        self.assertEqual(formatted(c, after, "amoget"), after)
        self.assertEqual(c.quit(), 0)

    def test_blanks(self):
        self.check("raw=24MB;rate = -1.5e3 ;pipeline{stage a work 2 output raw;stage b;}\n"
                   "mappings { ( x ,y );(y, y) ; }\ninclude\"m  .csv\"max-age 10  min;",
                   "raw = 24MB;  rate = -1.5e3;  pipeline { stage a work 2 output raw;  stage b; }\n"
                   "mappings { (x,y);  (y,y); }\ninclude \"m  .csv\" max-age 10 min;\n")

    def test_tables(self):
        self.check("a = 1; # one\nlong_name = 2 ms;#\u00e9\n\n\nprocessors {\n"
                   "p time 400 ms cluster edinburgh;\n\ttweed time 6 ms cluster pisa cores 2;#x\n"
                   "      # alone\nq cores 2 time 1;\n}\nnetwork{\nlatency default 1;\n"
                   "bandwidth edinburgh pisa 1 GB/s;\n}",
                   "a         = 1;     # one\nlong_name = 2 ms;  #\u00e9\n\nprocessors {\n"
                   "  p     time 400 ms cluster edinburgh;\n"
                   "  tweed time 6 ms   cluster pisa cores 2;  #x\n"
                   "  # alone\n  q cores 2 time 1;\n}\nnetwork {\n"
                   "  latency   default        1;\n  bandwidth edinburgh pisa 1 GB/s;\n}\n")

    def test_lines(self):
        """Lines that go on with a statement, blocks that begin and end within a line, names that
        are keywords, line ends."""
        self.check("\ufeffpipeline { stage work\r\nwork 1\r\n; stage b; }\r\nsharing\r\nnone;",
                   "\ufeffpipeline { stage work\r\n      work 1\r\n      ;  stage b; }\r\n"
                   "sharing\r\n    none;\r\n")

    def test_all(self):
        """Every description says the same, as far as the commands tell."""
        c = Client()
        laid_out = 0
        with tempfile.TemporaryDirectory() as folder:
            for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*.csv"))):
                shutil.copy(path, folder)
            for path in DESCRIPTIONS:
                text = contents(path)
                once = formatted(c, text, "amoget")
                if once is None:
                    continue
                laid_out += 1
                self.assertEqual("".join(once.split()), "".join(text.split()), path)
                self.assertEqual(formatted(c, once, "amoget"), once, path)
                self.assertEqual(told(folder, once), told(folder, text), path)
                # other blanks change nothing
                more = "\n".join(re.sub("(?<=[^ ]) +", "\t  ", line.split("#")[0]) +
                                 line[len(line.split("#")[0]):] for line in text.split("\n"))
                self.assertEqual(formatted(c, more, "amoget"), once, path)
        self.assertGreater(laid_out, 18)
        self.assertEqual(c.quit(), 0)


def told(folder, text):
    """What amoget or taag says of a description, but for times and memory: its findings without
    their places, or its results."""
    with open(os.path.join(folder, "it.amo"), "w", newline="") as file:
        file.write(text)
    command = ([os.path.join(os.path.dirname(PEPA), "taag"), "map"] if "program" in text
               else [os.path.join(os.path.dirname(PEPA), "amoget"), "--model", "1"])
    run = subprocess.run(command + ["it.amo"], cwd=folder, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    findings = re.findall(r"(?:error|warning): .*", run.stderr)
    return run.returncode, run.stdout, sorted(findings)


class AllModels(unittest.TestCase):
    def test_all(self):
        paths = [p for f in FOLDERS for p in sorted(glob.glob(os.path.join(ROOT, f, "*.pepa")))]
        self.assertGreater(len(paths), 60)
        chance = random.Random(1)
        c = Client()
        laid_out = 0
        for path in paths:
            text = contents(path)
            once = formatted(c, text)
            if once is None:
                continue
            laid_out += 1
            self.assertEqual("".join(once.split()), "".join(text.split()), path)
            self.assertEqual(formatted(c, once), once, path)
            self.assertEqual(exported(once), exported(text), path)
            # more blanks where there are some change nothing
            plain = re.compile(r"^[^\"%:/]*")
            more = "\n".join(plain.sub(lambda m: re.sub(" ", lambda _: " \t"[:chance.randrange(1, 3)],
                                                        m[0]), line)
                             for line in text.split("\n"))
            self.assertEqual(formatted(c, more), once, path)
        self.assertGreater(laid_out, 60)
        self.assertEqual(c.quit(), 0)


if __name__ == "__main__":
    unittest.main()
