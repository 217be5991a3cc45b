"""A client of `pepa lsp`: starts it, talks to it, and sees how it ends."""
import json
import os
import select
import subprocess

PEPA = os.environ.get("PEPA", "build/bin/pepa")
PATIENCE = 300  # seconds until a silent server counts as hung


def contents(path):
    """A text file as it is, line ends included; bytes that are not UTF-8 replaced."""
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def frame(body):
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Client:
    def __init__(self, initialize=True):
        self.process = subprocess.Popen([PEPA, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, bufsize=0)
        self.buffer = b""
        self.last = 0
        self.kept = []  # notifications that nobody has waited for yet
        if initialize:
            self.capabilities = self.request("initialize", {"processId": None, "rootUri": None,
                                                            "capabilities": {}})["capabilities"]
            self.notify("initialized", {})

    # ---- messages ----

    def send_bytes(self, data):
        self.process.stdin.write(data)

    def send(self, message):
        self.send_bytes(frame(json.dumps(message).encode()))

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method, params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        return self.last

    def read(self):
        """The next message; None at the end."""
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if found:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.buffer = rest[length:]
                    return json.loads(rest[:length])
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                raise AssertionError("the server is silent")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                assert not self.buffer, self.buffer
                return None
            self.buffer += data

    def answer(self, number):
        """The whole answer to a request; what comes before it is kept."""
        while True:
            message = self.read()
            if message is None:
                raise AssertionError("the server has ended")
            if "method" not in message and message.get("id") == number:
                return message
            self.kept.append(message)

    def ask(self, method, params):
        return self.answer(self.begin(method, params))

    def request(self, method, params):
        answer = self.ask(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def wait(self, method):
        """The parameters of the next notification of a method."""
        for i, message in enumerate(self.kept):
            if message.get("method") == method:
                return self.kept.pop(i)["params"]
        while True:
            message = self.read()
            assert message is not None, "the server has ended"
            if message.get("method") == method:
                return message["params"]
            self.kept.append(message)

    # ---- documents ----

    def open(self, text, uri="file:///nowhere/model.pepa", language="pepa", version=1):
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": language, "version": version, "text": text}})
        return self.findings(uri)

    def findings(self, uri="file:///nowhere/model.pepa"):
        while True:
            params = self.wait("textDocument/publishDiagnostics")
            if params["uri"] == uri:
                return params["diagnostics"]

    def change(self, changes, uri="file:///nowhere/model.pepa", version=2):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version}, "contentChanges": changes})

    def at(self, method, line, character, uri="file:///nowhere/model.pepa", **more):
        return self.ask(method, {"textDocument": {"uri": uri},
                                 "position": {"line": line, "character": character}, **more})

    # ---- the end ----

    def end(self):
        """Close the input; the exit status, after what is on stderr was seen to be nothing."""
        self.process.stdin.close()
        while True:
            message = self.read()
            if message is None:
                break
            self.kept.append(message)
        errors = self.process.stderr.read()
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        assert errors == b"", errors.decode()
        return status

    def quit(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.end()
