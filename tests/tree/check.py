#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check.py SOURCE BUILD: the rules of the tree that a compiler does not check.

Includes go upwards only, in the order of the top CMakeLists.txt; every source names its licence; the
libraries export only what they should; public headers and those for CUDA compile alone; no path of a machine is left in
a file; every command has a file, every `gpukit WORD` in a text is one, and every relative link of a page leads somewhere."""
import os
import re
import subprocess
import sys
import tempfile

source, build = sys.argv[1], sys.argv[2]
problems = []


def problem(text):
    problems.append(text)


def files():
    listed = subprocess.run(["git", "-C", source, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [name for name in listed.stdout.split("\n") if name and os.path.isfile(os.path.join(source, name))]
    found = []  # a released archive has no .git
    for folder, folders, names in os.walk(source):
        folders[:] = [f for f in folders if not f.startswith((".git", "build"))]
        found += [os.path.relpath(os.path.join(folder, n), source) for n in names]
    return found


def text_of(name):
    with open(os.path.join(source, name), errors="replace") as f:
        return f.read()


def check_includes(names):
    order = re.findall(r"^add_subdirectory\(src/(\w+)\)", text_of("CMakeLists.txt"), re.M)
    rank = {folder: i for i, folder in enumerate(order)}
    checked = 0
    for name in names:
        parts = name.split("/")
        if parts[0] != "src" or not name.endswith((".c", ".h", ".def")):
            continue
        if parts[1] not in rank:
            problem(f"{name}: src/{parts[1]} is not in CMakeLists.txt")
            continue
        for number, line in enumerate(text_of(name).split("\n"), 1):
            found = re.match(r'\s*#\s*include\s+"(\w+)/', line)
            if found and found[1] in rank:
                checked += 1
                if rank[found[1]] > rank[parts[1]]:
                    problem(f"{name}:{number}: {parts[1]} includes {found[1]}, which comes later in CMakeLists.txt")
    if checked < 100:
        problem(f"only {checked} includes were looked at: is this check broken?")


def check_licence(names):
    for name in names:
        if name.endswith((".c", ".h", ".cu", ".cuh", ".def", ".py", ".sh", ".hpp", ".cc", "CMakeLists.txt")):
            head = "\n".join(text_of(name).split("\n")[:6])
            if "SPDX-License-Identifier: Apache-2.0" not in head:
                problem(f"{name}: no SPDX line among its first lines")


def check_symbols():
    public = re.compile(r"^(gpukit_|cuda|__cuda|cu[A-Z]|nv|GPUKIT_|lib(cudart|cuda|nvrtc)\.so)")
    libraries = [f for f in os.listdir(os.path.join(build, "lib")) if re.match(r"lib(gpukit|cuda|cudart|nvrtc)[^/]*\.so[.\d]*$", f)]
    if not libraries:
        problem("no shared library was found in the build folder")
    for library in libraries:
        out = subprocess.run(["nm", "-D", "--defined-only", os.path.join(build, "lib", library)], capture_output=True, text=True).stdout
        for line in out.split("\n"):
            symbol = line.split()[-1] if line.split() else ""
            private = "GPUKIT_PRIVATE" in symbol  # the core's, between our own libraries
            if symbol and not private and not public.match(symbol):
                problem(f"{library}: exports {symbol}")


def check_headers(names):
    for name in names:
        if not re.match(r"include/gpukit/\w+\.h$", name):
            continue
        for compiler, language in (("cc", "c"), ("c++", "c++")):
            with tempfile.NamedTemporaryFile("w", suffix=".c") as f:
                f.write(f'#include "gpukit/{os.path.basename(name)}"\n')
                f.flush()
                run = subprocess.run([compiler, "-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I",
                                      os.path.join(source, "include"), f.name], capture_output=True, text=True)
                if run.returncode:
                    problem(f"{name} does not compile alone as {language}:\n{run.stderr}")


def check_cuda_headers(names):
    """A host compiler takes each of our CUDA headers alone; those that refuse say so by #error."""
    folder = os.path.join(source, "cuda/include")
    found = [n for n in names if re.match(r"cuda/include/\w+\.h$", n) and "#error" not in text_of(n)]
    for name in found:
        run = subprocess.run(["c++", "-x", "c++", "-fsyntax-only", "-I", folder, "-include", os.path.basename(name), "/dev/null"],
                             capture_output=True, text=True)
        if run.returncode:
            problem(f"{name} does not compile alone for the host:\n{run.stderr}")


def check_words(names):
    machine = re.compile(r"(?<![\w.])/(" + "|".join(["wor" + "k/", "roo" + r"t/\w", "home/(?!USER|user|me|you|alice|bob|name)\\w+"]) + ")")
    for name in names:
        if name.endswith((".png", ".img", ".safetensors", ".jpg", ".db")) or name.startswith(("tests/doctor/", "src/doctor/")):
            continue
        for number, line in enumerate(text_of(name).split("\n"), 1):
            if machine.search(line) and name != "tests/tree/check.py":
                problem(f"{name}:{number}: names a path of some machine: {line.strip()[:80]}")


def check_commands(names):
    commands = re.findall(r"^COMMAND\((\w+), (\w+)", text_of("src/cli/commands.def"), re.M)
    for command in commands:
        if command[0] != "version" and not os.path.exists(os.path.join(source, "src/cli", f"cmd_{command[0]}.c")):
            problem(f"commands.def: {command[0]} has no src/cli/cmd_{command[0]}.c")
    known = {command[0] for command in commands} | {"COMMAND", "NAME"}
    for name in names:
        if name.endswith((".c", ".h", ".def", ".md", ".py")) and name != "tests/tree/check.py":
            for number, line in enumerate(text_of(name).split("\n"), 1):
                for word in re.findall(r"`gpukit ([A-Za-z]\w*)", line):
                    if word not in known:
                        problem(f"{name}:{number}: there is no command 'gpukit {word}'")


def check_links(names):
    for name in names:
        if not name.endswith(".md"):
            continue
        for target in re.findall(r"\]\(([^)#]+)\)", text_of(name)):
            if "://" not in target and not os.path.exists(os.path.join(source, os.path.dirname(name), target)):
                problem(f"{name}: link to {target}, which is not there")


all_files = files()
check_includes(all_files)
check_licence(all_files)
check_symbols()
check_headers(all_files)
check_cuda_headers(all_files)
check_words(all_files)
check_commands(all_files)
check_links(all_files)
for line in problems:
    print(line)
print(f"tree: {len(all_files)} files, {len(problems)} problems")
sys.exit(1 if problems else 0)
