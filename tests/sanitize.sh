#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sanitize.sh BUILD address|thread [FIRST [COUNT]]: builds with sanitizers in BUILD and runs what gpukit does in
# its own processes. COUNT random kernels from seed FIRST on go through the compiler and the launcher.
# Kernels' faults are signals that the engine handles itself, so the sanitizer leaves them alone. User
# programs are not built with sanitizers, so tests that start some (examples, cc) are not here.
build=$1 kind=$2 first=${3:-1} count=${4:-40}
here=$(dirname "$0")/..
common=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:allow_user_segv_handler=1:use_sigaltstack=0
case $kind in
address)
    sanitizers=address,undefined
    tests="base ptx memory launch cudart cuda gpukit_library seldom_ptx fatbin ptxlink source trainer_image trainer_cpu"
    ;;
thread)
    sanitizers=thread
    tests="launch memory cudart cuda gpukit_library trainer_cpu"
    ;;
*)
    echo "usage: $0 BUILD address|thread [FIRST [COUNT]]" >&2
    exit 2
    ;;
esac
cmake -S "$here" -B "$build" -G Ninja -DGPUKIT_SANITIZE=$sanitizers >"$build.log" 2>&1 || { cat "$build.log"; exit 3; }
rm -f "$build.log"
targets="gpukit-jit test_flow test_ops"
for t in $tests; do targets="$targets test_$t"; done
# shellcheck disable=SC2086
cmake --build "$build" --target $targets || exit 3
ASAN_OPTIONS=detect_leaks=0:$common
TSAN_OPTIONS=$common
UBSAN_OPTIONS=print_stacktrace=1
GPUKIT_CACHE=$build/sanitize-cache
export ASAN_OPTIONS TSAN_OPTIONS UBSAN_OPTIONS GPUKIT_CACHE
failed=0
run() {
    echo "== $*"
    # ThreadSanitizer of gcc 12 wants the addresses that programs had before Linux 6.1
    setarch -R "$@" >"$build/sanitize.out" 2>&1 || { cat "$build/sanitize.out"; failed=1; }
}
for t in $tests; do run "$build/tests/test_$t"; done
run "$build/tests/test_flow" "$first" "$count"
run "$build/tests/test_flow" --damage "$first" "$count"
[ "$kind" = thread ] || run "$build/tests/test_ops"
[ $failed = 0 ] && echo "no findings"
exit $failed
