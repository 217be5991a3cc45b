"""Starts pepa serve for the tests."""
import atexit
import os
import re
import signal
import subprocess

BIN = os.path.abspath(os.environ.get("BIN", "build/bin"))


class Server:
    def __init__(self, *words, **environment):
        self.process = subprocess.Popen([f"{BIN}/pepa", "serve", *words], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **environment})
        atexit.register(self.process.kill)  # if the test fails before it ends it
        self.url = self.process.stdout.readline().strip()
        parts = re.fullmatch(r"(http://(127\.0\.0\.1:(\d+)))/([0-9a-f]{32})/", self.url)
        assert parts, f"no address: {self.url!r} {self.process.stderr.read() if not self.url else ''}"
        self.origin, self.host, self.port, self.token = parts.groups()
        self.port = int(self.port)

    def end(self, how=signal.SIGINT):
        """The exit status, and what it said."""
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=60)
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.returncode, out + err
