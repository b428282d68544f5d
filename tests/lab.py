"""A JupyterLab of its own and a browser in front of it: what a person would do with a notebook and see in it."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

from needed import missing
from reference import cells_of

CELL = ".jp-Notebook .jp-CodeCell"


@contextmanager
def jupyter_lab(folder, path, program=("jupyterlab",)):
    """Runs a server whose kernels find modules in ``path`` first; gives its address and its token."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    places = {name: str(folder / name.lower()) for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")}
    calm = folder / "config_dir" / "labconfig"
    calm.mkdir(parents=True, exist_ok=True)
    calm = calm / "page_config.json"  # no questions about news
    calm.write_text(json.dumps({"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}))
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONWARNINGS", "PYTHONHOME")}
    environment |= {f"JUPYTER_{name}": value for name, value in places.items()}
    environment |= {"IPYTHONDIR": str(folder / "ipython"), "PYTHONPATH": str(path), "JUPYTER_PREFER_ENV_PATH": "1"}
    options = ["--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token=of-the-test"]
    root = f"--ServerApp.root_dir={folder / 'root'}"
    with (folder / "log").open("wb") as log:
        command = [sys.executable, "-m", *program, *options, root]
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        yield _address(folder, server), "of-the-test"
    finally:
        server.terminate()  # it ends its kernels
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _address(folder, server):
    """Where the server listens, as soon as it says so."""
    end = time.monotonic() + 60
    while True:
        for told in (folder / "runtime_dir").glob("jpserver-*.json"):
            with suppress(json.JSONDecodeError):  # it is being written
                return json.loads(told.read_text())["url"]
        assert server.poll() is None, (folder / "log").read_text()
        assert time.monotonic() < end, (folder / "log").read_text()
        time.sleep(0.05)


@contextmanager
def chromium(**options):
    """Runs a browser without a window; gives a page of it."""
    program = shutil.which("chromium")
    if program is None:
        missing("these tests use a browser: install chromium (package chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser.new_page(**options)
        finally:
            browser.close()


def written(path, *cells):
    """Writes a notebook of code cells."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    code = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "source": text,
            "outputs": [],
            "execution_count": None,
        }
        for number, text in enumerate(cells)
    ]
    path.write_text(json.dumps({"cells": code, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}))


def _another_number(prompt):
    """A pattern of the prompt of a cell that has run since it had this one."""
    number = "".join(filter(str.isdigit, prompt))
    return rf"\[(?!{number}\])\d+\]" if number else r"\[\d+\]"


class Reader:
    """A person in front of a notebook."""

    def __init__(self, page, address, cells):
        self.page = page
        page.goto(address)
        page.locator(CELL).nth(cells - 1).wait_for(timeout=60_000)
        page.wait_for_function(
            "() => /Idle|idle/.test(document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status ?? '')",
            timeout=60_000,
        )

    def run(self, number):
        """Runs a cell; gives what it printed."""
        cell = self.cell(number)
        prompt = cell.locator(".jp-InputPrompt").first
        before = prompt.inner_text()
        for seconds in (5, 10, 20, 40):  # what is sent while the kernel starts may be lost
            cell.locator(".cm-content").click()
            self.page.keyboard.press("Control+Enter")
            with suppress(AssertionError):
                self._expect(prompt).to_have_text(re.compile(_another_number(before)), timeout=1000 * seconds)
                break
        assert prompt.inner_text() != before, f"cell {number} did not run"
        return cell.locator(".jp-OutputArea-output").all_inner_texts()

    def cell(self, number):
        """A cell of the notebook."""
        return self.page.locator(CELL).nth(number)

    def _expect(self, locator):
        from playwright.sync_api import expect

        return expect(locator)


class Board:
    """A board in a page: what is clicked and what is seen."""

    def __init__(self, root, shape):
        self.root, self.shape, self.page = root, shape, root.page

    def cell(self, cell):
        return self.root.locator(f"[data-cell='{cells_of(self.shape).index(cell)}']")

    # Looking -------------------------------------------------------------------------------------

    def _each(self, what):
        return self.root.locator(".nd-cell").evaluate_all(f"cells => cells.map(cell => {what})")

    def states(self):
        """The state of every cell, and its text."""
        return self._each("[cell.dataset.state, cell.textContent]")

    def by_cell(self):
        """The state of every cell by its coordinates."""
        return dict(zip(cells_of(self.shape), self._each("cell.dataset.state"), strict=True))

    def texts(self):
        return self._each("cell.textContent")

    def near(self):
        """The cells that are marked as neighbours."""
        marked = self._each("cell.classList.contains('nd-near')")
        return {cell for cell, is_near in zip(cells_of(self.shape), marked, strict=True) if is_near}

    def ring(self, cell):
        """The outline that a cell is drawn with."""
        return self.cell(cell).evaluate("cell => getComputedStyle(cell, '::after').boxShadow")

    @property
    def focused(self):
        """The cell that has the keyboard."""
        number = self.page.evaluate("document.activeElement.dataset.cell")
        return None if number is None else cells_of(self.shape)[int(number)]

    @property
    def pointed(self):
        """The cell that a hint is about."""
        numbers = self._each("cell.classList.contains('nd-pointed')")
        return cells_of(self.shape)[numbers.index(True)] if True in numbers else None

    @property
    def message(self):
        return self.root.locator(".nd-message").inner_text()

    @property
    def left(self):
        return self.root.locator(".nd-left").inner_text().strip()

    @property
    def time(self):
        return self.root.locator(".nd-time").inner_text().strip()

    # Playing -------------------------------------------------------------------------------------

    def settle(self):
        """Waits until Python has answered everything."""
        self.root.and_(self.page.locator("[aria-busy=false]")).wait_for()

    def click(self, cell, **how):
        self.cell(cell).click(**how)
        self.settle()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()
