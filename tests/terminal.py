"""A program on a real terminal: what a player types, and what the screen shows."""

import codecs
import os
import re
import select
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

PATIENCE = 60  # seconds without a sign of life; a game answers in milliseconds
DOCS = Path(__file__).parent.parent / "docs"
# The terminal becomes the one whose Ctrl-C interrupts, also where the tests run with interrupts ignored.
ADOPT = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-P", *sys.argv[1:]])
"""


class Terminal:
    """Runs Python with these arguments on a pseudo-terminal.

    >>> with Terminal("-c", "print(input('? '))") as terminal:
    ...     shown = terminal.after("?", "word")
    """

    def __init__(self, *arguments, **environment):
        import pty

        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", ADOPT, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "PYTHONUTF8": "1", **environment},
        )
        os.close(slave)
        self.shown = ""  # everything so far
        self._seen = 0
        self._text = codecs.getincrementaldecoder("utf-8")("replace")  # a read may end within a character

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def _read(self):
        """Reads what has come; False at the end."""
        if not select.select([self.master], [], [], PATIENCE)[0]:
            raise AssertionError(f"nothing more came after: {self.shown!r}")
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:  # how Linux says that nobody holds the terminal any more
            data = b""
        self.shown += self._text.decode(data).replace("\r", "")
        return bool(data)

    def after(self, prompt, typed, end="\n"):
        """Waits for the prompt, types, and gives what was shown between the last prompt and this one."""
        prompt += " "
        while (at := self.shown.find(prompt, self._seen)) < 0:
            assert self._read(), f"it ended before {prompt!r}: {self.shown!r}"
        since, self._seen = self.shown[self._seen : at], at + len(prompt)
        os.write(self.master, (typed + end).encode(errors="surrogateescape"))
        return since

    def interrupted(self, prompt):
        """Waits for the prompt and presses Ctrl-C; gives the exit code and what was shown after it."""
        self.after(prompt, "\x03", end="")
        for _ in range(PATIENCE // 5):
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
                break
            # Python sees an interrupt only with the next one if it came just when reading began
            os.write(self.master, b"\x03")
        code, shown = self.end()
        return code, re.sub(r"(\^C)+", "^C", shown)

    def end(self):
        """Waits for the end; gives the exit code and what was shown since the last prompt."""
        while self._read():
            pass
        return self.process.wait(PATIENCE), self.shown[self._seen :]


def sessions(page):
    """The ``console`` blocks of a page of docs/ that show a session: the command, and what follows."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n\$ (.*?)^```", text, re.MULTILINE | re.DOTALL):
        command, _, shown = block.partition("\n")
        if shown:
            yield shlex.split(command), shown


def replayed(arguments, shown, prompt):
    """What a terminal shows when the answers of a session are typed again; prompt is a pattern."""
    with Terminal(*arguments) as terminal:
        for asked, typed in re.findall(rf"^({prompt}) (.*)$", shown, re.MULTILINE):
            terminal.after(asked, typed)
        code, _ = terminal.end()
        return code, terminal.shown


def piped(arguments, typed=b"", **environment):
    """Runs Python with these arguments through pipes; typed is text or bytes."""
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        env={**os.environ, "PYTHONUTF8": "1", **environment},
    )


def without_reader(arguments, typed):
    """Runs Python with an output that nobody reads; gives the exit code and what it complained of."""
    command = [sys.executable, "-P", *arguments]
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1) as process:
        process.stdout.close()
        process.stdin.write(typed.encode())
        process.stdin.close()
        return process.wait(PATIENCE), process.stderr.read().decode()


def boards(shown):
    """The framed boards of an output: lists of lines, each a string with one character a cell."""
    found = re.findall(r"^ *\+-+\+\n((?: *\d+ \|.*\|\n)+) *\+-+\+$", shown, re.MULTILINE)
    return [[line[line.index("|") + 2 : -2 : 2] for line in body.splitlines()] for body in found]
