#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_install.sh BUILD SOURCE: what `make install` leaves works from there: the command, its headers and
# compiler process, the C library through pkg-config, the man page, the completion.
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cd "$work" || exit 1
GPUKIT_CACHE=$work/cache
GPUKIT_DEVICE=cpu
PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
LD_LIBRARY_PATH=$work/prefix/lib
export GPUKIT_CACHE GPUKIT_DEVICE PKG_CONFIG_PATH LD_LIBRARY_PATH
unset GPUKIT_JIT
cp "$source/examples/c_api.c" .
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror -o c_api c_api.c $(pkg-config --cflags --libs gpukit) || fail "a C program does not build"
./c_api >out || { cat out; fail "a C program does not run"; }
[ "$(pkg-config --modversion gpukit)" = "$(prefix/bin/gpukit --version | cut -d' ' -f2)" ] || fail "pkg-config has another version"
prefix/bin/gpukit run prefix/share/gpukit/examples/vector_add.cu >out 2>&1 || { cat out; fail "gpukit run does not work there"; }
head -1 prefix/share/man/man1/gpukit.1 | grep -q '^\.TH GPUKIT 1' || fail "no man page"
bash -c '. prefix/share/bash-completion/completions/gpukit
    COMP_WORDS=(gpukit ru) COMP_CWORD=1 COMP_LINE="gpukit ru" COMP_POINT=9
    $(complete -p gpukit | sed "s/.*-F \([^ ]*\).*/\1/") gpukit ru gpukit
    [ "${COMPREPLY[*]}" = run ]' || fail "no completion"
