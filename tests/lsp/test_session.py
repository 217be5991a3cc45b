"""How sessions begin and end, and what the server does with messages that are none."""
import json
import time
import unittest

from client import Client, frame

MODEL = "r = 1;\nP = (a, r).(b, r).P;\nP\n"


class Life(unittest.TestCase):
    def test_shutdown_then_exit(self):
        c = Client()
        self.assertEqual(c.capabilities["positionEncoding"], "utf-16")
        self.assertEqual(c.capabilities["textDocumentSync"]["change"], 2)
        self.assertEqual(c.quit(), 0)

    def test_exit_without_shutdown(self):
        c = Client()
        c.notify("exit", None)
        self.assertEqual(c.end(), 1)

    def test_input_ends(self):
        self.assertEqual(Client().end(), 1)
        self.assertEqual(Client(initialize=False).end(), 1)

    def test_shutdown_and_end_of_input(self):
        c = Client()
        c.request("shutdown", None)
        self.assertEqual(c.end(), 1)

    def test_order(self):
        c = Client(initialize=False)
        self.assertEqual(c.ask("textDocument/hover", {})["error"]["code"], -32002)
        c.request("initialize", {"capabilities": {}})
        self.assertEqual(c.ask("initialize", {})["error"]["code"], -32600)
        self.assertEqual(c.ask("no/such", {})["error"]["code"], -32601)
        c.notify("$/whatever", {})
        c.request("shutdown", None)
        self.assertEqual(c.ask("textDocument/hover", {})["error"]["code"], -32600)
        c.notify("exit", None)
        self.assertEqual(c.end(), 0)


class Malformed(unittest.TestCase):
    def test_no_json(self):
        c = Client()
        for body in (b"{", b"", b"[1,", b'{"a":"\xff"}', b'{"a":"\\ud8"}', b'{"a":"\\u', b'"\\',
                     b'{"a":"\\\xc3\xa9"}', b"[" * 100000, b"nul"):
            c.send_bytes(frame(body))
            self.assertEqual(c.answer(None)["error"]["code"], -32700, body[:20])
        self.assertEqual(c.quit(), 0)

    def test_no_request(self):
        c = Client()
        for message in ({}, [], {"a": "\ud800"}, {"id": 1}, {"id": {}, "method": "shutdown"}, {"method": 3}, 5, [[]],
                        {"id": 1.5, "method": "shutdown"}):
            c.send_bytes(frame(json.dumps(message).encode()))
            answer = c.read()
            self.assertEqual(answer["error"]["code"], -32600, message)
        c.send({"jsonrpc": "2.0", "id": 77, "result": None})  # an answer to nothing
        self.assertEqual(c.quit(), 0)

    def test_no_headers(self):
        for data in (b"hello\r\n\r\n", b"Content-Length: 3x\r\n\r\n{}", b"Content-Length: \r\n\r\n",
                     b"Content-Length: 99999999999999999999\r\n\r\n", b"\r\n\r\n",
                     b"Content-Length: 33554433\r\n\r\n", b"x" * 5000, b"Content-Length: 10\r\n\r\n{}",
                     b"Content-Length: -1\r\n\r\n"):
            c = Client()
            c.send_bytes(data)
            self.assertEqual(c.end(), 1, data[:40])
            self.assertEqual(c.kept[-1]["error"]["code"], -32700, data[:40])

    def test_too_long_at_once(self):
        """The content of such a message is not waited for."""
        for data in (b"Content-Length: 33554433\r\n\r\n", b"x" * 5000):
            c = Client()
            c.send_bytes(data)
            self.assertEqual(c.read()["error"]["code"], -32700)
            self.assertEqual(c.end(), 1)

    def test_other_headers(self):
        c = Client()
        body = b'{"jsonrpc":"2.0","id":"x","method":"shutdown"}'
        c.send_bytes(b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
                     b"content-length:   %d \r\n\r\n" % len(body) + body)
        self.assertIsNone(c.answer("x")["result"])
        body = b'{"jsonrpc":"2.0","id":"y","method":"shutdown"}'
        c.send_bytes(b"Content-Length: %d\n\n" % len(body) + body)  # lines without CR
        self.assertEqual(c.answer("y")["error"]["code"], -32600)
        c.notify("exit", None)
        self.assertEqual(c.end(), 0)

    def test_in_pieces(self):
        c = Client()
        for byte in frame(b'{"jsonrpc":"2.0","id":5,"method":"shutdown"}'):
            c.send_bytes(bytes([byte]))
        self.assertIsNone(c.answer(5)["result"])
        c.notify("exit", None)
        self.assertEqual(c.end(), 0)

    def test_wrong_params(self):
        c = Client()
        for method in ("didOpen", "didChange", "didClose", "didSave"):
            for params in (None, [], {}, 3, {"textDocument": 1}, {"textDocument": {"uri": 1}},
                           {"textDocument": {"uri": "file:///x", "text": 1}}):
                c.notify("textDocument/" + method, params)
        for changes in (None, {}, [1], [{}], [{"text": 1}], [{"text": "", "range": {}}],
                        [{"text": "", "range": {"start": {"line": -1, "character": 0},
                                                "end": {"line": 0, "character": 0}}}],
                        [{"text": "", "range": {"start": {"line": 1, "character": 0},
                                                "end": {"line": 0, "character": 0}}}]):
            self.assertEqual(c.open(MODEL), [])
            c.kept.clear()
            c.change(changes)
            self.assertIn("change", c.wait("window/logMessage")["message"].lower(), changes)
        self.assertEqual(c.quit(), 0)

    def test_a_lost_text_comes_back(self):
        """After a change that cannot be made nothing is said of the text until it comes whole."""
        begin, end = {"line": 0, "character": 0}, {"line": 0, "character": 1}
        for whole in (True, False):
            c = Client()
            found = c.open(MODEL + "Q\nQ")
            self.assertTrue(found)
            c.change([{"text": 1}])
            self.assertIn("whole text", c.wait("window/logMessage")["message"])
            self.assertEqual(c.findings(), [])
            c.change([{"range": {"start": begin, "end": end}, "text": " "}], version=3)
            self.assertIn("whole text", c.wait("window/logMessage")["message"])
            c.notify("textDocument/didSave", {"textDocument": {"uri": "file:///nowhere/model.pepa"}})
            self.assertIn("whole text", c.at("textDocument/hover", 0, 0)["error"]["message"])
            c.kept.clear()
            if whole:
                c.change([{"text": MODEL + "Q\nQ"}], version=4)
            else:
                c.notify("textDocument/didClose",
                         {"textDocument": {"uri": "file:///nowhere/model.pepa"}})
                self.assertEqual(c.findings(), [])
                c.open(MODEL + "Q\nQ", version=4)
                c.change([{"range": {"start": begin, "end": begin}, "text": ""}], version=5)
            self.assertEqual(c.findings(), found)
            self.assertIn("result", c.at("textDocument/hover", 0, 0))
            c.change([{"text": 1}, {"text": MODEL}], version=6)  # whole again at once
            self.assertEqual(c.findings(), [])
            self.assertIn("result", c.at("textDocument/hover", 0, 0))
            self.assertEqual(c.quit(), 0)

    def test_half_a_surrogate_pair(self):
        """JSON can write one that stands alone: it counts as the one unit of UTF-16 that it is."""
        begin = {"line": 0, "character": 0}
        for text in ("\ud83d", "\ude00", "\ud83d\ud83d", "\ude00\ud83d", "\ud83dx", "\ud83d\\ude00", "\\ud83d",
                     "\U0001F600", "\ud83d\U0001F600", "\uD83D\t\ud7ff\ue000"):
            c = Client()
            c.open(MODEL)
            c.change([{"range": {"start": begin, "end": begin}, "text": "/*%s*/ " % text}])
            self.assertEqual(c.findings(), [])
            units = len(("/*%s*/ " % text).encode("utf-16-le", "surrogatepass")) // 2
            found = c.at("textDocument/hover", 0, units)["result"]["range"]
            self.assertEqual(found, {"start": {"line": 0, "character": units},
                                     "end": {"line": 0, "character": units + 1}}, ascii(text))
            self.assertIsNone(c.at("textDocument/hover", 0, units - 1)["result"], ascii(text))
            self.assertEqual(c.quit(), 0)

    def test_only_halves_are_replaced(self):
        c = Client()
        for sent, back in (("\ud83d", "\ufffd"), ("\ude00\ud83d", "\ufffd\ufffd"), ("\ud83dx\ude00", "\ufffdx\ufffd"),
                           ("\ud83d\U0001F600", "\ufffd\U0001F600"), ("\U0001F600", "\U0001F600"), ("\\ud83d", "\\ud83d"),
                           ("\\\ud83d", "\\\ufffd"), ("\ud7ff\ue000\u0d80", "\ud7ff\ue000\u0d80")):
            c.send({"jsonrpc": "2.0", "id": sent, "method": "no/such"})
            self.assertEqual(c.read()["id"], back, ascii(sent))
        self.assertEqual(c.quit(), 0)

    def test_an_unreadable_message_loses_all_texts(self):
        """It could have been a change; what came before it is as it was, and what comes behind counts."""
        uris = ["file:///nowhere/%d.pepa" % i for i in range(2)]
        c = Client()
        for uri in uris:
            self.assertTrue(c.open(MODEL + "Q\nQ", uri))

        def hover(uri, number):
            return frame(json.dumps({"jsonrpc": "2.0", "id": number, "method": "textDocument/hover", "params": {
                "textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}}).encode())

        def whole(uri):
            return frame(json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
                "textDocument": {"uri": uri, "version": 5}, "contentChanges": [{"text": MODEL}]}}).encode())

        c.send_bytes(whole(uris[0]) + hover(uris[0], "a") + frame(b'{"a":"\xff"}') + hover(uris[0], "b") +
                     hover(uris[1], "c") + whole(uris[1]) + hover(uris[1], "d"))
        self.assertIn("result", c.answer("a"))
        self.assertEqual(c.answer(None)["error"]["code"], -32700)
        self.assertIn("whole text", c.answer("b")["error"]["message"])
        self.assertIn("whole text", c.answer("c")["error"]["message"])
        self.assertIn("result", c.answer("d"))
        self.assertIn("whole text", c.wait("window/logMessage")["message"])
        self.assertEqual(c.findings(uris[0]), [])
        self.assertEqual(c.findings(uris[1]), [])
        c.notify("textDocument/didSave", {"textDocument": {"uri": uris[0]}})
        c.send_bytes(whole(uris[0]) + hover(uris[0], "e"))
        self.assertIn("result", c.answer("e"))
        self.assertEqual(c.quit(), 0)

    def test_beyond_the_end(self):
        """Positions behind the last line mean the end of the text, those behind a line its end."""
        c = Client()
        end = {"line": 99, "character": 3}
        self.assertEqual(len(c.open("P = (a, 1).(b, 1).P;\n")), 1)
        c.change([{"range": {"start": end, "end": end}, "text": "P"}])
        self.assertEqual(c.findings(), [])
        end = {"line": 0, "character": 99}
        c.change([{"range": {"start": end, "end": end}, "text": " // x"}])
        self.assertEqual(c.findings(), [])
        self.assertEqual(c.quit(), 0)


    def test_one_long_line(self):
        """Thousands of places far out in a line, counted in UTF-16."""
        c = Client()
        text = "/* %s */ r = 1; " % ("\u00e9\U0001F600x" * 5000)
        text += " ".join("P%d = (a, r).(b, r).P%d;" % (i, i) for i in range(5000)) + " P0 || P1"
        c.open(text)
        found = c.at("textDocument/references", 0, 20007,
                     context={"includeDeclaration": True})["result"]
        self.assertEqual(len(found), 10001)
        for each in found[::97]:
            begin, end = each["range"]["start"]["character"], each["range"]["end"]["character"]
            units = text.encode("utf-16-le")[2 * begin:2 * end]
            self.assertEqual(units.decode("utf-16-le"), "r")
        self.assertEqual(c.quit(), 0)


class Cancelling(unittest.TestCase):
    def test_before_it_is_answered(self):
        c = Client()
        c.open(MODEL)
        # both in one piece, so that the request is still queued when the cancellation is read
        request = {"jsonrpc": "2.0", "id": "late", "method": "shutdown"}
        cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "late"}}
        c.send_bytes(frame(json.dumps(request).encode()) + frame(json.dumps(cancel).encode()))
        self.assertEqual(c.answer("late")["error"]["code"], -32800)
        c.notify("$/cancelRequest", {"id": 1234})
        c.notify("$/cancelRequest", None)
        self.assertEqual(c.quit(), 0)


class Texts(unittest.TestCase):
    def test_several(self):
        c = Client()
        uris = ["file:///nowhere/%d.pepa" % i for i in range(5)]
        for i, uri in enumerate(uris):
            found = c.open(MODEL + "\n" * i + "Q" if i % 2 else MODEL, uri)
            self.assertEqual(bool(found), bool(i % 2))
        c.notify("textDocument/didClose", {"textDocument": {"uri": uris[1]}})
        self.assertEqual(c.findings(uris[1]), [])
        self.assertEqual(c.open(MODEL, uris[1]), [])
        self.assertEqual(c.quit(), 0)

    def test_too_many(self):
        c = Client()
        for i in range(256):
            self.assertEqual(c.open("P = (a, 1).(b, 1).P;\nP\n", "file:///n/%d.pepa" % i), [])
        c.notify("textDocument/didOpen", {"textDocument": {"uri": "file:///n/256.pepa",
                                                           "languageId": "pepa", "text": ""}})
        self.assertIn("too many", c.wait("window/logMessage")["message"])
        self.assertEqual(c.quit(), 0)

    def test_too_long(self):
        c = Client()
        c.notify("textDocument/didOpen", {"textDocument": {
            "uri": "file:///n/long.pepa", "languageId": "pepa", "text": " " * (16 * 1024 * 1024 + 1)}})
        self.assertIn("too long", c.wait("window/logMessage")["message"])
        self.assertEqual(c.quit(), 0)

    def test_changes_in_a_row(self):
        """Whatever edits are made, findings are those of the text that results."""
        c = Client()
        text = "% \u00e9\U0001F600 r\nr = 1;\nP = (a, r).(b, r).P;\nP\n"
        self.assertEqual(c.open(text), [])
        edits = [((0, 0), (0, 0), "/* \U0001F600\U0001F600 */ "), ((0, 7), (0, 7), "\u00e9"),
                 ((1, 4), (1, 5), "2"), ((2, 0), (3, 0), "Q = (a, r).(b, r).Q;\n"), ((3, 0), (3, 1), "Q"),
                 ((9, 9), (9, 9), "\n"), ((3, 99), (3, 99), " ")]
        lines = None
        for number, (begin, end, new) in enumerate(edits):
            c.change([{"range": {"start": {"line": begin[0], "character": begin[1]},
                                 "end": {"line": end[0], "character": end[1]}}, "text": new}],
                     version=number + 2)
        c.notify("textDocument/didSave", {"textDocument": {"uri": "file:///nowhere/model.pepa"}})
        while True:
            params = c.wait("textDocument/publishDiagnostics")
            if params["version"] == len(edits) + 1:
                break
        self.assertEqual(params["diagnostics"], [])
        self.assertEqual(c.quit(), 0)

    def test_many_changes_at_once(self):
        """As clients send them after renaming, in ascending or descending order: one by one they took 90 s."""
        c = Client()
        count = 30000
        self.assertEqual(c.open("r=1;\n" + "// r\n" * count + MODEL[7:]), [])
        begin = time.monotonic()
        for version, order in ((2, range(count)), (3, range(count - 1, -1, -1))):
            places = [{"line": i + 1, "character": 2} for i in order]
            c.change([{"range": {"start": at, "end": at}, "text": " "} for at in places], version=version)
            c.at("textDocument/hover", 0, 0)
        self.assertLess(time.monotonic() - begin, 30)
        text = c.at("textDocument/formatting", 0, 0, options={})["result"][0]["newText"]
        self.assertEqual(text.count("//   r\n"), count)
        self.assertEqual(c.quit(), 0)


if __name__ == "__main__":
    unittest.main()
