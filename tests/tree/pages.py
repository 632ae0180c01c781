#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pages.py GPUKIT SOURCE PAGE...: runs the commands that pages show.

A fenced block of the language "sh" is run line by line in one scratch folder per page, where
`examples` is the folder of the examples; each line must succeed, or end with the exit code that a
comment "# exit N" behind it names. A block of another language may follow that begins with
"<!-- shows -->" on the line before: each of its lines, "..." and figures aside, must occur in what
the last command printed. A block of language "cuda NAME.cu" is written to that file first."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

gpukit, source, pages = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
failures = ran = 0


def blank(text):  # figures differ from machine to machine
    return re.sub(r"\s+", " ", re.sub(r"[-+]?[\d][\d.,]*(e[-+]?\d+)?", "N", text)).strip()


def check_shown(page, block, output):
    global failures
    printed = blank(output)
    for line in block.split("\n"):
        if line.strip() and line.strip() != "..." and blank(line) not in printed:
            failures += 1
            print(f"{page}: shown, but not printed: {line}\nprinted was:\n{output}")


for page in pages:
    text = open(page).read()
    folder = tempfile.mkdtemp()
    os.symlink(os.path.join(source, "examples"), os.path.join(folder, "examples"))
    environment = dict(os.environ, PATH=os.path.dirname(gpukit) + ":" + os.environ["PATH"])
    output = ""
    for shows, language, block in re.findall(r"(<!-- shows -->\n)?```([^\n]*)\n(.*?)```", text, re.S):
        if language.startswith("cuda "):
            with open(os.path.join(folder, language.split()[1]), "w") as f:
                f.write(block)
        elif language == "sh":
            for line in block.split("\n"):
                wanted = re.search(r"#\s*exit (\d+)", line)
                command = line.split(" #")[0].strip()
                if not command:
                    continue
                run = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=240)
                output = run.stdout + run.stderr
                ran += 1
                if run.returncode != (int(wanted[1]) if wanted else 0):
                    failures += 1
                    print(f"{page}: {command}: exit {run.returncode}\n{output}")
        elif shows:
            check_shown(page, block, output)
    shutil.rmtree(folder)
print(f"{ran} commands of {len(pages)} pages, {failures} failures")
sys.exit(1 if failures or not ran else 0)
