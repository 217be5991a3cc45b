"""Emacs with Eglot as a client, by the recipe of doc/lsp.md; where Emacs is missing: skipped."""
import os
import shutil
import subprocess
import tempfile
import unittest

from client import PATIENCE, PEPA

HERE = os.path.dirname(os.path.abspath(__file__))
EMACS = shutil.which("emacs")
FILES = {"model.pepa": "lambda=2;\nmu = lambda;\nIdle=(arrive,1).Busy;\nBusy=(serve,nu).Idle;\nIdle\n",
         "machine.amo": "slow=3 ms;\npipeline{stage a;stage b;}\nprocessors{p time slow;q time 1;}\n"
                        "network{\nlatency default slow;\nlatency local 1 us;\n}\n"}


def has_eglot():
    return EMACS and subprocess.run(
        [EMACS, "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


@unittest.skipUnless(has_eglot(), "no Emacs with Eglot here (29, or the package elpa-eglot)")
class Emacs(unittest.TestCase):
    def test_session(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in FILES.items():
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
            path = os.path.dirname(os.path.abspath(PEPA)) + os.pathsep + os.environ["PATH"]
            run = subprocess.run(
                [EMACS, "--batch", "-L", os.path.join(HERE, "..", "..", "editors", "emacs"),
                 "-l", os.path.join(HERE, "session.el")],
                cwd=folder, env={**os.environ, "PATH": path, "HOME": folder}, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=2 * PATIENCE)
            self.assertEqual((run.returncode, run.stdout.splitlines()[-1:]), (0, ["ok"]), run.stdout)
            with open(os.path.join(folder, "model.pepa")) as file:
                self.assertIn("Working = (serve, mu).Idle;", file.read())


if __name__ == "__main__":
    unittest.main()
