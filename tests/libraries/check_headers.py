#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_headers.py SOURCE [CUDA_INCLUDE]: our library headers against NVIDIA's, where those are installed.

Every enumerator that ours has must have NVIDIA's value, every structure its size, and every function a
prototype that a C compiler accepts beside NVIDIA's. Without NVIDIA's headers: status 77 (skipped)."""
import os
import re
import subprocess
import sys
import tempfile

source = sys.argv[1]
theirs = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")
ours = os.path.join(source, "cuda/include")
# header, names only newer or older headers have (theirs 13.0)
HEADERS = ["cublas_v2.h", "cublasLt.h", "cufft.h", "curand.h", "cusparse.h", "cusolverDn.h", "nvml.h", "cuda.h",
           "cuda_runtime_api.h", "nvJitLink.h", "nvrtc.h", "cufftXt.h", "cusolverSp.h",
           "cusolverRf.h"]
# What 13.0 has no longer, or never had in C; programs for older versions use them.
OLDER = {"cudaDevAttrCooperativeMultiDeviceLaunch", "cudaDevAttrMaxTimelineSemaphoreInteropSupported", "MAJOR_VERSION",
         "MINOR_VERSION", "PATCH_LEVEL", "cudaDeviceProp", "cudaPitchedPtr", "cudaExtent", "cudaPos",
         "struct cudaLaunchParams", "struct surfaceReference", "struct textureReference"}
# Headers that declare each function of theirs: what has no meaning here is refused at the call.
COMPLETE = {"cuda.h", "cuda_runtime_api.h", "cublas_v2.h", "cublasLt.h", "cufft.h", "cufftXt.h", "cusparse.h", "cusolverDn.h",
            "nvrtc.h", "nvJitLink.h", "cusolverSp.h", "cusolverRf.h"}
problems = []
checked = {"enumerators": 0, "structures": 0, "functions": 0}


def compile_c(text, include, run=True):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.c")
        with open(path, "w") as f:
            f.write(text)
        command = ["cc", "-w", "-I", include, path]
        out = subprocess.run(command + (["-o", path + ".out"] if run else ["-fsyntax-only"]), capture_output=True, text=True)
        if out.returncode:
            return None, out.stderr
        return (subprocess.run([path + ".out"], capture_output=True, text=True).stdout if run else ""), ""


def preprocessed(header, include):
    """The text of that header (and of our gpukit/ parts), without what it includes."""
    text = subprocess.run(["cc", "-E", "-I", include, "-include", header, "-x", "c", "/dev/null"], capture_output=True, text=True).stdout
    wanted, kept = False, []
    stem = re.match(r"[a-z]+", header)[0]
    for line in text.split("\n"):
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            name = os.path.basename(marker[1])
            wanted = name.startswith(stem) or (stem == "cuda" and (name.startswith("driver") or "seldom" in name and not name.startswith("cu")))
        elif wanted:
            kept.append(line)
    return "\n".join(kept)


def check(header):
    text = preprocessed(header, ours)
    text = re.sub(r"\b(static|inline)\b[^{;]*\{.*?\n\}", "", text, flags=re.S)
    names = []
    for body in re.findall(r"enum\s*\w*\s*\{(.*?)\}", text, re.S):
        names += re.findall(r"(?:^|,)\s*(\w+)", re.sub(r"=\s*\([^)]*\)", "", body))
    structs = re.findall(r"^typedef (?:struct|union)\s*\w*\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\s*(\w+)", text, re.M)
    structs += re.findall(r"^typedef (?:struct|union) \w+ (\w+);", text, re.M)
    structs += ["struct " + n for n in re.findall(r"^struct (\w+)\s*\{", text, re.M)]
    program = f"#include <{header}>\n#include <stdio.h>\nint main(void) {{\n"
    values = {}
    for include in (ours, theirs):
        body = "".join(f'#ifndef {n}\n#endif\nprintf("{n} %ld\\n", (long){n});\n' for n in names)
        body += "".join(f'printf("sizeof {s} %ld\\n", (long)sizeof({s}));\n' for s in structs)
        out, why = compile_c(program + body + "return 0; }\n", include)
        while out is None:  # names that are not there: report each and go on without it
            missing = set(re.findall(r"[‘'\"](\w+)[’'\"] undeclared", why))
            missing |= set(re.findall(r"incomplete type [‘'\"]([\w ]+)[’'\"]", why))
            if not missing:
                problems.append(f"{header}: does not compile with {include}: {why[:800]}")
                return
            for name in missing:
                name in OLDER or problems.append(f"{header}: {name} is not in {include}")
                names = [n for n in names if n != name]
                structs = [s for s in structs if s != name]
            body = "".join(f'printf("{n} %ld\\n", (long){n});\n' for n in names)
            body += "".join(f'printf("sizeof {s} %ld\\n", (long)sizeof({s}));\n' for s in structs)
            out, why = compile_c(program + body + "return 0; }\n", include)
        values[include] = dict(line.rsplit(" ", 1) for line in out.strip().split("\n") if line)
    for name, value in values[ours].items():
        if name in values[theirs] and values[theirs][name] != value:
            problems.append(f"{header}: {name} is {value}, NVIDIA's {values[theirs][name]}")
    checked["enumerators"] += len(names)
    checked["structures"] += len(structs)
    # prototypes: ours behind theirs
    flat = re.sub(r"\s+", " ", re.sub(r"enum\s*\w*\s*\{.*?\}|struct\s*\w*\s*\{.*?\}", "x", text, flags=re.S))
    prototypes = [p.strip() for p in re.findall(r"(?:^|;|\})([^;{}]*\([^;{}]*\)) ?(?=;)", flat) if "typedef" not in p]
    prototypes = [p for p in prototypes if re.match(r"^[\w \*]+ ?\**\w+ ?\(", p)]
    _, why = compile_c(f"#include <{header}>\n" + "\n".join(p + ";" for p in prototypes), theirs, run=False)
    for conflict in re.findall(r"error: (conflicting types for .*)", why):
        problems.append(f"{header}: {conflict}")
    others = [e for e in re.findall(r"error: (.*)", why) if not e.startswith("conflicting")]
    if others:
        problems.append(f"{header}: prototypes: {others[:3]}")
    checked["functions"] += len(prototypes)
    if header in COMPLETE:  # each function of theirs is declared
        there = functions(preprocessed(header, theirs))
        for name in sorted(there - functions(text)):
            problems.append(f"{header}: {name} is not declared")


def functions(text):
    return set(re.findall(r"\b(cu\w+) ?\([^;{}]*\)\s*;", text))


if not os.path.exists(os.path.join(theirs, "cublas_v2.h")):
    print(f"skipped: no cublas_v2.h in {theirs}")
    sys.exit(77)
for header in HEADERS:
    if os.path.exists(os.path.join(ours, header)) and os.path.exists(os.path.join(theirs, header)):
        check(header)
for line in problems:
    print(line)
print(", ".join(f"{n} {what}" for what, n in checked.items()))
sys.exit(1 if problems or not checked["functions"] else 0)
