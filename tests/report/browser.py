"""A headless Chromium, driven over its debugging pipe: standard library only."""
import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60       # seconds; only a browser that hangs needs them


class Page:
    """One tab: `evaluate` runs JavaScript, `problems` and `requests` tell what happened."""

    def __init__(self, read_end, write_end):
        self.read_end, self.write_end = read_end, write_end
        self.buffer, self.counter = b"", 0
        self.problems, self.requests, self.loaded = [], [], False
        target = self.call("Target.createTarget", {"url": "about:blank"}, None)["targetId"]
        self.session = self.call("Target.attachToTarget",
                                 {"targetId": target, "flatten": True}, None)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def _receive(self):
        """The next message of the browser."""
        limit = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(0, limit - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.read_end, 1 << 16)
            if not part:
                raise EOFError("the browser is gone")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, message):
        """Keep what a test may ask for later."""
        method, told = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.problems.append(str(told["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
            self.problems.append(str(told["args"]))
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.problems.append(told["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])

    def call(self, method, parameters=None, session=...):
        """Send a command and wait for its answer."""
        self.counter += 1
        message = {"id": self.counter, "method": method, "params": parameters or {}}
        if session is ...:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.counter:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def open(self, path, width, height=900, dark=False):
        """Load a file at a width in CSS pixels."""
        self.problems, self.requests, self.loaded = [], [], False
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.call("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.call("Page.navigate", {"url": path.resolve().as_uri()})
        while not self.loaded:
            self._note(self._receive())

    def evaluate(self, script):
        """The value of a JavaScript expression."""
        found = self.call("Runtime.evaluate", {"expression": script, "returnByValue": True})
        if "exceptionDetails" in found:
            raise RuntimeError(str(found["exceptionDetails"]))
        return found["result"].get("value")


@contextlib.contextmanager
def chromium():
    """A Page in a fresh headless browser; skips the test where there is none."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("no Chromium here (Debian: apt install chromium)")
    here_read, there_write = os.pipe()
    there_read, here_write = os.pipe()
    # the browser expects the pipe at 3 and 4, whatever numbers are free here
    high = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in (there_read, there_write)]

    def place():
        os.dup2(high[0], 3)
        os.dup2(high[1], 4)

    with tempfile.TemporaryDirectory() as profile:
        process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage",
             f"--user-data-dir={profile}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=place)
        for end in (there_read, there_write, *high):
            os.close(end)
        try:
            yield Page(here_read, here_write)
        finally:
            process.terminate()
            process.wait(PATIENCE)
            os.close(here_read)
            os.close(here_write)
            time.sleep(0.2)         # its helpers still write to the profile for a moment
            shutil.rmtree(profile, ignore_errors=True)
            os.makedirs(profile, exist_ok=True)
