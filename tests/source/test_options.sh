#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every option of nvcc, in both forms and both ways to give an argument, does what nvcc_options.tsv
# says: test_options.sh GPUKIT SOURCE_DIR WORK_FOLDER
set -u
gpukit=$1 table=$2/tests/source/nvcc_options.tsv work=$3
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
failed=0 checked=0
try() { # expectation, words
    expected=$1
    shift
    "$gpukit" cc "$@" --version >out 2>&1
    code=$?
    case $code in
    0) got=accepted; grep -q '^warning' out && got=warned ;;
    2) got=refused; grep -q 'is not supported' out || got=unknown ;;
    *) got="status $code" ;;
    esac
    checked=$((checked + 1))
    [ "$got" = "$expected" ] && return
    echo "FAILED: gpukit cc $* was $got, expected $expected"
    sed 's/^/    /' out | head -5
    failed=1
}
tab=$(printf '\t')
while IFS=$tab read -r full brief argument expected; do
    case $full in '#'*) continue ;; esac
    if [ "$argument" = - ]; then
        try "$expected" "--$full"
        [ "$brief" = - ] || try "$expected" "-$brief"
    else
        try "$expected" "--$full" "$argument"
        try "$expected" "--$full=$argument"
        [ "$brief" = - ] || try "$expected" "-$brief" "$argument"
        [ "$brief" = - ] || try "$expected" "-$brief=$argument"
    fi
done <"$table"
[ $checked -gt 300 ] || { echo "only $checked forms were tried: is the table whole?"; failed=1; }
[ $failed -eq 0 ] && echo "options: $checked forms as expected"
exit $failed
