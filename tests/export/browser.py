"""A headless browser, for what the page computes itself."""

import html
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium")

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")


def browse(page, address="", *options):
    """Open a page in a headless browser, and return its document after the scripts ran.

    Parameters
    ----------
    page
        The page.
    address
        What follows its address, such as ``#model=2``.
    *options
        Further options of the browser.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "front.html").write_text(page, encoding="utf-8")
        command = [
            str(CHROMIUM),
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
            # Containers have little shared memory.
            "--disable-dev-shm-usage",
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            f"--user-data-dir={folder / 'profile'}",
            *options,
            "--dump-dom",
            f"file://{folder / 'front.html'}{address}",
        ]
        done = subprocess.run(command, capture_output=True, timeout=600, check=True)  # noqa: S603
        return done.stdout.decode()


def run_script(page, script, *options):
    """Run a script in a page, and return what it returns; it must be a value of JSON.

    Parameters
    ----------
    page
        The page.
    script
        The body of a JavaScript function.
    *options
        Further options of the browser.
    """
    # The page's security policy would block the script.
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    call = f'<pre id="returned"></pre><script>document.getElementById("returned").textContent = \
JSON.stringify((() => {{{script}}})());</script></body>'
    document = browse(page.replace("</body>", call.replace("<\\/", "</")), "", *options)
    return json.loads(html.unescape(re.search(r'<pre id="returned">(.*?)</pre>', document)[1]))


# Fills the fields of the form, as a reader would, and reads the answer.
_FILL = """
  const answers = [];
  for (const [model, rows] of inputs) {
    location.hash = `model=${model}`;
    dispatchEvent(new HashChangeEvent("hashchange"));
    const controls = [...document.querySelectorAll("#try [data-columns]")];
    const answer = document.getElementById("answer");
    for (const row of rows) {
      if (typeof row === "string") {
        const paste = document.getElementById("paste");
        paste.value = row;
        paste.dispatchEvent(new Event("input", { bubbles: true }));
      } else {
        for (const control of controls) {
          control.value = row[control.dataset.columns];
          if (control.value !== row[control.dataset.columns]) throw new Error(control.id);
        }
        const form = document.querySelector("#try form");
        if (form) form.dispatchEvent(new Event("input"));
      }
      answers.push([Number(answer.dataset.rule), JSON.parse(answer.dataset.labels)]);
    }
  }
  return answers;
"""


def try_out(page, inputs):
    """Return the rule and the labels that the page's form answers for each input.

    Parameters
    ----------
    page
        The page.
    inputs
        Pairs of a model's index and rows. A row is the text of each field, by the columns that it
        stands for, or one text to paste.
    """
    text = json.dumps(inputs).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    return run_script(page, f"const inputs = {text};{_FILL}")
