"""pepa serve as other programs meet it: who may ask, what they may ask for, what jobs cost."""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from server import BIN, Server  # noqa: E402

QUEUE = "r = 1; s = 2;\nP = (a, r).Q; Q = (b, s).P;\nP[5]"
# Takes hours: what is cancelled, ended or limited.
LONG = {"command": "simulate", "text": QUEUE,
        "options": [["until", "1000"], ["runs", "1000000"]]}


def ask(server, method="GET", path="", body=None, **headers):
    """(status, headers, text); a header None is left out."""
    sent = {"Host": server.host}
    if method == "POST":
        sent["Origin"] = server.origin
    sent.update({name.replace("_", "-"): value for name, value in headers.items()})
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    connection.putrequest(method, path if path.startswith("/") else f"/{server.token}/{path}",
                          skip_host=True, skip_accept_encoding=True)
    data = body.encode() if isinstance(body, str) else body
    if data is not None and "Content-Length" not in sent:
        sent["Content-Length"] = str(len(data))
    for name, value in sent.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(data)
    answer = connection.getresponse()
    result = answer.status, dict(answer.getheaders()), answer.read().decode()
    connection.close()
    return result


def run(server, **request):
    """The last line of a job, and its output."""
    status, _, text = ask(server, "POST", "run", json.dumps(request))
    if status != 200:
        return {"status": status, "why": text}, ""
    at = 0
    while True:
        end = text.index("\n", at)
        line = json.loads(text[at:end])
        at = end + 1
        if "exit" in line:
            return line, text[at:]


class Running:
    """A job that is under way."""

    def __init__(self, test, server, request):
        body = json.dumps(request)
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=120)
        self.socket.sendall((f"POST /{server.token}/run HTTP/1.1\r\nHost: {server.host}\r\n"
                             f"Origin: {server.origin}\r\nContent-Length: {len(body)}\r\n\r\n"
                             + body).encode())
        test.addCleanup(self.socket.close)
        self.heard = b""
        self.job = int(self.until(rb'\{"job":(\d+)\}').group(1))

    def until(self, pattern):
        while not (found := re.search(pattern, self.heard)):
            more = self.socket.recv(65536)
            assert more, self.heard
            self.heard += more
        return found


def stat(process):
    """The state of a process and its parent; it has ended: Z."""
    try:
        with open(f"/proc/{process}/stat") as file:
            state, parent = file.read().rsplit(")", 1)[1].split()[:2]
            return state, int(parent)
    except OSError:
        return "Z", 0


def alive(process):
    return stat(process)[0] != "Z"


def children(server):
    """Processes that the server has started, and that have not ended."""
    processes = map(int, filter(str.isdigit, os.listdir("/proc")))
    return [p for p in processes if stat(p)[1] == server.process.pid and alive(p)]


def gone(server, processes):
    deadline = time.monotonic() + 60
    while set(children(server)) & set(processes):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


class Shared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        status, said = cls.server.end()
        assert status == 0, said


class Who(Shared):
    def test_page(self):
        status, headers, text = ask(self.server)
        self.assertEqual(status, 200)
        policy = headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        self.assertEqual(headers["Cache-Control"], "no-store")
        self.assertNotRegex(text, r"<style|\bstyle=|\bon[a-z]+=|<script[^>]*></script>.*<script(?![^>]*src)")
        for name in re.findall(r'(?:src|href)="([^"#]+)"', text):
            self.assertEqual(ask(self.server, path=name)[0], 200, name)

    def test_token(self):
        token = self.server.token
        wrong = ("0" if token[0] != "0" else "1") + token[1:]
        for path in ("/", f"/{wrong}/", f"/{token[:-1]}/", f"/{token}", f"//{token}/", f"/{token}0/",
                     "/start", f"/{wrong}/start", f"/%00{token}/", "/" + "a" * 10000 + "/"):
            self.assertIn(ask(self.server, path=path)[0], (403, 414, 431), path)

    def test_tokens_differ(self):
        other = Server()
        self.assertNotEqual(other.token, self.server.token)
        self.assertEqual(other.end()[0], 0)

    def test_host(self):
        port = self.server.port
        for host in (f"localhost:{port}", f"127.0.0.1:{port}", f"LOCALHOST:{port}"):
            self.assertEqual(ask(self.server, Host=host)[0], 200, host)
        for host in ("evil.example", f"evil.example:{port}", "localhost", "", f"localhost:{port + 1}",
                     f"localhost:{port}.evil.example", f"localhost:{port}@evil.example"):
            self.assertIn(ask(self.server, Host=host)[0], (400, 403), host)
        self.assertIn(ask(self.server, Host=None)[0], (400, 403))

    def test_origin(self):
        body = json.dumps({"command": "check", "text": QUEUE, "options": []})
        for origin in (None, "null", "http://evil.example", f"https://localhost:{self.server.port}",
                       "http://localhost", self.server.origin + ".evil.example"):
            self.assertEqual(ask(self.server, "POST", "run", body, Origin=origin)[0], 403, origin)
        self.assertEqual(ask(self.server, Origin="http://evil.example")[0], 403)
        self.assertEqual(ask(self.server, "POST", "run", body)[0], 200)

    def test_methods(self):
        for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "FROB"):
            self.assertIn(ask(self.server, method, Origin=self.server.origin)[0], (403, 405, 501))

    def test_loopback_only(self):
        with open("/proc/net/tcp") as file:
            mine = [line.split()[1] for line in file if f":{self.server.port:04X} " in line
                    and line.split()[3] == "0A"]
        self.assertEqual(mine, [f"0100007F:{self.server.port:04X}"])


class What(Shared):
    def test_no_files(self):
        for path in ("../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "/etc/passwd",
                     "./index.html", "page/index.html", "index.html%00.js", ".", "style.css/", "src/serve/main.c"):
            status, _, text = ask(self.server, path=f"/{self.server.token}/{path}")
            self.assertEqual(status, 404, path)
            self.assertNotIn("root:", text)

    def test_options_with_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for command, option in (("solve", "measures"), ("solve", "checkpoint"), ("solve", "hosts"),
                                    ("transient", "plot"), ("graph", "output"), ("fit", "plot"),
                                    ("export", "output"), ("solve", "memory"), ("solve", "measure=x"),
                                    ("solve", "meas"), ("solve", ""), ("serve", "port")):
                end, _ = run(self.server, command=command, text=QUEUE,
                             options=[[option, f"{folder}/written"]])
                self.assertEqual(end.get("status"), 400, (command, option))
            # A value is never an option.
            for name, value in (("measure", f"--output={folder}/written"), ("method", f"--plot={folder}/written"),
                                ("define", f"-o{folder}/written")):
                end, _ = run(self.server, command="solve", text=QUEUE, options=[[name, value]])
                self.assertNotEqual(end["exit"], 0)
            self.assertEqual(os.listdir(folder), [])

    def test_descriptions_include_nothing(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("secret")
            file.flush()
            end, out = run(self.server, command="amoget", options=[["json"]], text=(
                f'pipeline {{ stage 1; }} processors {{ 1 time 1; }} include "{file.name}";'))
            self.assertEqual(end["exit"], 5)
            self.assertNotIn("secret", end["messages"] + out)

    def test_models_read_no_trace(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("secret")
            file.flush()
            for command, options in (("simulate", [["at", "1"]]), ("solve", []), ("walk", []), ("graph", [])):
                lines = {"lines": ["1"]} if command == "walk" else {}
                end, out = run(self.server, command=command, options=options, **lines,
                               text=f'P = (a, trace("{file.name}")).P; P')
                self.assertEqual(end["exit"], 1, command)
                self.assertIn("may name no file", end["messages"])
                self.assertNotIn("secret", end["messages"] + out)

    def test_wrong_requests(self):
        for body in ("", "{", "[]", "null", '{"command":"solve"}', '{"command":1,"text":""}',
                     '{"command":"solve","text":1}', '{"command":"rm","text":""}',
                     '{"command":"solve","text":"","options":{}}', '{"command":"solve","text":"","options":[1]}',
                     '{"command":"solve","text":"","options":[["json","x"]]}',
                     '{"command":"solve","text":"","options":[["measure"]]}',
                     '{"command":"solve","text":"","options":[["measure",["x"]]]}',
                     '{"command":"solve","text":"","lines":["1"]}',
                     '{"command":"walk","text":"","lines":["1\\n2"]}',
                     '{"command":"solve","text":"\\u0000"}', "\xff", "[" * 100000,
                     json.dumps({"command": "solve", "text": "", "options": [["json"]] * 65}),
                     json.dumps({"command": "solve", "text": "", "options": [["measure", "x" * 5000]]})):
            status, _, text = ask(self.server, "POST", "run", body)
            self.assertEqual(status, 400, body[:80])
            self.assertTrue(text)

    def test_sizes(self):
        status, _, _ = ask(self.server, "POST", "run", "x", Content_Length=str(1 << 40))
        self.assertEqual(status, 413)
        status, _, text = ask(self.server, "POST", "run", "x" * (8 << 20))
        self.assertEqual((status, text), (413, "the request is too long\n"))
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=60) as s:
            s.sendall((f"POST /{self.server.token}/run HTTP/1.1\r\nHost: {self.server.host}\r\n"
                       f"Origin: {self.server.origin}\r\nTransfer-Encoding: chunked\r\n\r\n").encode())
            with self.assertRaises(OSError):
                for _ in range(1000):
                    s.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")
        status, _, _ = ask(self.server, X_Long="x" * 200000)
        self.assertIn(status, (413, 431))
        self.assertEqual(ask(self.server)[0], 200)

    def test_noise(self):
        for noise in (b"\x00" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 500,
                      b"GET / HTTP/1.1\r\nHost", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"):
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=60) as s:
                s.sendall(noise)
        self.assertEqual(ask(self.server)[0], 200)


class Jobs(Shared):
    def setUp(self):
        self.assertTrue(gone(self.server, children(self.server)))

    def test_same_as_command(self):
        end, out = run(self.server, command="solve", text=QUEUE, options=[["json"], ["certify"]])
        told = subprocess.run([f"{BIN}/pepa", "solve", "-", "--json", "--certify"], input=QUEUE,
                              capture_output=True, text=True, check=True).stdout
        mine, its = json.loads(out), json.loads(told)
        for data in (mine, its):
            del data["seconds"], data["memory"]
        self.assertEqual(mine, its)
        self.assertEqual((end["exit"], end["bytes"]), (0, len(out)))

    def test_same_messages(self):
        wrong = "P = (a, r).Q;\nP"
        end, _ = run(self.server, command="check", text=wrong, options=[["json"]])
        told = subprocess.run([f"{BIN}/pepa", "check", "-", "--json"], input=wrong, capture_output=True,
                              text=True, check=False)
        self.assertEqual((end["exit"], end["messages"]), (told.returncode, told.stderr))
        self.assertEqual(end["exit"], 1)

    def test_walk(self):
        _, out = run(self.server, command="walk", text=QUEUE, options=[["json"]], lines=["1", "b"])
        steps = [json.loads(line)["step"] for line in out.splitlines()]
        self.assertEqual(steps, [0, 1, 0])

    def test_table(self):
        end, out = run(self.server, command="states", text=QUEUE, options=[["csv"]], keep=True)
        self.assertEqual((out, end["bytes"], end["rows"]), ("", 0, 7))
        told = subprocess.run([f"{BIN}/pepa", "states", "-", "--csv"], input=QUEUE, capture_output=True,
                              text=True, check=True).stdout.splitlines(keepends=True)
        for first, count in ((0, 7), (1, 2), (5, 100), (7, 1), (10 ** 14, 5), (3, 0)):
            _, _, text = ask(self.server, path=f"table?id={end['table']}&from={first}&count={count}")
            self.assertEqual(text, "".join(told[first:first + count]))
        self.assertEqual(ask(self.server, path=f"table.csv?id={end['table']}")[2], "".join(told))
        for query in ("id=999&from=0&count=1", f"id={end['table']}", f"id={end['table']}&from=0&count=5001",
                      f"id={end['table']}&from=-1&count=1", f"id={end['table']}&from=x&count=1", "id=0"):
            self.assertIn(ask(self.server, path=f"table?{query}")[0], (400, 404), query)

    def test_tables_are_few(self):
        ids = [run(self.server, command="states", text=QUEUE, options=[["csv"]], keep=True)[0]["table"]
               for _ in range(5)]
        found = [ask(self.server, path=f"table?id={i}&from=0&count=1")[0] for i in ids]
        self.assertEqual(found, [404, 200, 200, 200, 200])

    def test_cancel(self):
        job = Running(self, self.server, LONG)
        processes = children(self.server)
        self.assertEqual(ask(self.server, "POST", f"cancel?job={job.job}")[0], 200)
        job.until(rb'"limit":"cancelled"')
        self.assertTrue(gone(self.server, processes))
        status, _, text = ask(self.server, "POST", f"cancel?job={job.job}")
        self.assertEqual((status, text), (200, "it has ended before\n"))
        for none in ("x", "0", str(job.job + 1), ""):
            self.assertEqual(ask(self.server, "POST", f"cancel?job={none}")[0], 404, none)

    def test_page_goes_away(self):
        job = Running(self, self.server, LONG)
        processes = children(self.server)
        self.assertEqual(len(processes), 1)
        job.socket.close()
        self.assertTrue(gone(self.server, processes))

    def test_crash(self):
        job = Running(self, self.server, LONG)
        [first] = children(self.server)
        other = Running(self, self.server, LONG)
        os.kill(first, signal.SIGSEGV)
        job.until(rb'"signal":11')
        self.assertEqual(len(children(self.server)), 1)
        other.until(rb'"progress":"simulating')
        other.socket.close()
        self.assertEqual(run(self.server, command="check", text=QUEUE, options=[])[0]["exit"], 0)


class Limits(unittest.TestCase):
    def test_time(self):
        server = Server("--time-limit", "1")
        end, _ = run(server, **LONG)
        self.assertEqual((end["exit"], end["limit"]), (None, "time"))
        self.assertEqual(server.end()[0], 0)

    def test_memory(self):
        server = Server("--memory", "40MB")
        end, out = run(server, command="states", text=QUEUE.replace("[5]", "[2000000]"), options=[["csv"]])
        self.assertEqual((end["exit"], out), (4, ""))
        self.assertIn("memory", end["messages"])
        self.assertEqual(run(server, command="solve", text=QUEUE, options=[])[0]["exit"], 0)
        self.assertEqual(server.end()[0], 0)

    def test_jobs(self):
        server = Server("--jobs", "1")
        job = Running(self, server, LONG)
        self.assertEqual(run(server, command="check", text=QUEUE, options=[])[0]["status"], 429)
        self.assertEqual(ask(server, "POST", f"cancel?job={job.job}")[0], 200)
        job.until(rb'"limit":"cancelled"')
        self.assertEqual(run(server, command="check", text=QUEUE, options=[])[0]["exit"], 0)
        self.assertEqual(server.end()[0], 0)

    def test_ends_with_its_jobs(self):
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            server = Server()
            Running(self, server, LONG)
            processes = children(server)
            self.assertEqual(len(processes), 1)
            self.assertEqual(server.end(how)[0], 0)
            for each in processes:
                self.assertFalse(alive(each))

    def test_more_connections_than_it_takes(self):
        server = Server()
        many = [socket.create_connection(("127.0.0.1", server.port), timeout=60) for _ in range(600)]
        for each in many[:100]:
            each.sendall(b"GET / HT")
        time.sleep(0.5)
        server.process.send_signal(signal.SIGSTOP)
        for each in many:
            each.close()
        server.process.send_signal(signal.SIGCONT)
        self.assertEqual(ask(server)[0], 200)
        self.assertEqual(server.end(signal.SIGTERM)[0], 0)

    def test_others_take_all_connections(self):
        """Those that say nothing, or not the token, keep nobody out, and who was served goes on."""
        server = Server()
        job = Running(self, server, LONG)
        first = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.addCleanup(first.close)
        many = []
        for number in range(700):
            many.append(socket.create_connection(("127.0.0.1", server.port), timeout=60))
            self.addCleanup(many[-1].close)
            if number % 3 == 0:
                many[-1].sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"[:number % 2 + 26])
            if number % 100 == 0:
                first.request("GET", f"/{server.token}/", headers={"Host": server.host})
                self.assertEqual(first.getresponse().read()[:2], b"<!")
        begin = time.monotonic()
        self.assertEqual(ask(server)[0], 200)
        self.assertLess(time.monotonic() - begin, 15)  # they may say nothing for 30
        job.socket.settimeout(0.2)
        with self.assertRaises(TimeoutError):  # it was not closed
            while job.socket.recv(65536):
                pass
        self.assertEqual(server.end(signal.SIGTERM)[0], 0)

    def test_killed(self):
        server = Server()
        Running(self, server, LONG)
        processes = children(server)
        server.end(signal.SIGKILL)
        deadline = time.monotonic() + 60
        while any(alive(p) for p in processes) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertLess(time.monotonic(), deadline)

    def test_start(self):
        with tempfile.NamedTemporaryFile("w", suffix=".pepa") as file:
            file.write(QUEUE)
            file.flush()
            server = Server(file.name)
            self.assertEqual(json.loads(ask(server, path="start")[2]), {"name": file.name, "text": QUEUE})
            self.assertEqual(server.end()[0], 0)

    def test_open(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/xdg-open", "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\nprintf %s "$1" >{folder}/part && mv {folder}/part {folder}/url\n')
            os.chmod(f"{folder}/xdg-open", 0o700)
            server = Server("--open", PATH=f"{folder}:{os.environ['PATH']}")
            deadline = time.monotonic() + 60
            while not os.path.exists(f"{folder}/url") and time.monotonic() < deadline:
                time.sleep(0.05)
            with open(f"{folder}/url", encoding="utf-8") as file:
                self.assertEqual(file.read(), server.url)
            self.assertEqual(server.end()[0], 0)
            os.remove(f"{folder}/xdg-open")
            server = Server("--open", PATH=folder)
            self.assertEqual(ask(server)[0], 200)
            status, said = server.end()
            self.assertEqual(status, 0)
            self.assertIn("open the address yourself", said)

    def wrong(self, *words):
        done = subprocess.run([f"{BIN}/pepa", "serve", *words], capture_output=True, text=True, check=False,
                              timeout=60)
        self.assertEqual(done.stdout, "")
        return done.returncode, done.stderr

    def test_start_fails(self):
        server = Server()
        status, said = self.wrong("--port", str(server.port))
        self.assertEqual(status, 5)
        self.assertIn(f"port {server.port} is in use", said)
        self.assertEqual(server.end()[0], 0)
        for words, expected in ((("--port", "65536"), 2), (("--port", "x"), 2), (("--bind", "0.0.0.0"), 2),
                                (("--bind", "example.org"), 2), (("--frob",), 2), (("a", "b"), 2),
                                (("/nowhere/model.pepa",), 5), (("--memory", "much"), 2)):
            status, said = self.wrong(*words)
            self.assertEqual(status, expected, words)
            self.assertTrue(said.startswith("pepa serve: "), said)


if __name__ == "__main__":
    unittest.main()
