#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gpukit ptx from outside: exit codes, messages, print and print again, JSON.
# usage: test_command.sh GPUKIT FOLDER_OF_THIS_FILE
set -u
gpukit=$1
here=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

check() { # WHAT WANTED GOT
    [ "$2" = "$3" ] && return
    echo "FAIL $1: wanted '$2', got '$3'"
    failed=1
}

"$gpukit" ptx "$here/nvcc.ptx" "$here/clang.ptx" > "$work/out"
check "exit of good files" 0 $?
check "lines of good files" 2 "$(wc -l < "$work/out" | tr -d ' ')"

"$gpukit" ptx --print "$here/clang.ptx" > "$work/one.ptx"
"$gpukit" ptx --print "$work/one.ptx" > "$work/two.ptx"
check "exit of printing again" 0 $?
cmp -s "$work/one.ptx" "$work/two.ptx" || { echo "FAIL printing again differs"; failed=1; }
[ -s "$work/one.ptx" ] || { echo "FAIL nothing printed"; failed=1; }

printf '.version 7.0\n.target sm_80\n.entry k() {\n  frob.u32 1;\n}\n' > "$work/bad.ptx"
"$gpukit" ptx "$work/bad.ptx" 2> "$work/err"
check "exit of a bad file" 1 $?
check "message of a bad file" "$work/bad.ptx:4:3: error: unknown instruction 'frob'" "$(head -1 "$work/err")"

# An instruction known by name only: counted, named, and not lost in print.
printf '.version 7.0\n.target sm_80\n.visible .entry k() {\n  .reg .b32 a;\n  multimem.red.relaxed.sys.global.add.u32 [a], 3;\n  ret;\n}\n' > "$work/known.ptx"
"$gpukit" ptx "$work/known.ptx" > "$work/out" 2> "$work/err"
check "exit with an instruction that is refused" 1 $?
check "count of what is refused" 1 "$(grep -c '2 instructions, 1 of them not supported' "$work/out")"
check "its name" 1 "$(grep -c "known.ptx:5: warning: 'multimem.red.relaxed.sys.global.add.u32' in 'k'" "$work/err")"
check "nothing printed without it" "" "$("$gpukit" ptx --print "$work/known.ptx" 2> /dev/null)"
check "support of one" "multimem.red: refused (PTX: instructions known by name)" "$("$gpukit" support multimem.red)"

"$gpukit" ptx "$work/missing.ptx" 2> /dev/null
check "exit of a missing file" 3 $?
"$gpukit" ptx 2> /dev/null
check "exit without a file" 2 $?
"$gpukit" ptx --wrong 2> /dev/null
check "exit of an unknown option" 2 $?

"$gpukit" ptx --support > "$work/support"
check "exit of --support" 0 $?
grep -q '^shfl  *runs' "$work/support" || { echo "FAIL shfl is not in the support list"; failed=1; }
grep -q ' refused ' "$work/support" || { echo "FAIL nothing is refused"; failed=1; }
"$gpukit" ptx --support --json | python3 -c '
import json, sys
rows = json.load(sys.stdin)
assert len(rows) > 100 and any(r["supported"] for r in rows), len(rows)
assert all(r["instruction"] and r["row"] for r in rows)' || { echo "FAIL --support --json"; failed=1; }
exit $failed
