#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_robust.sh GPUKIT FOLDER: what surrounds a run is damaged, full, missing or shared; the program must
# give its own output and status all the same, or gpukit must name the cause and exit with 3.
gpukit=$1
here=$2
work=$(mktemp -d)
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset GPUKIT_JIT GPUKIT_NO_CACHE
GPUKIT_DEVICE=cpu
GPUKIT_CACHE=$work/cache
export GPUKIT_DEVICE GPUKIT_CACHE
failed=0
cp "$here/helper_killed.cu" .
cat > small.cu <<'EOF'
#include <cstdio>
__global__ void k(int *p) { p[threadIdx.x] = 3 * threadIdx.x; }
int main()
{
    int *p, h[32];
    cudaMalloc(&p, sizeof h);
    k<<<1, 32>>>(p);
    cudaError_t e = cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d %d\n", (int)e, h[31]);
    return e;
}
EOF
runs() { # NAME [VAR=VALUE]...: the program's output and nothing else
    name=$1
    shift
    got=$(env "$@" "$gpukit" run small.cu 2>&1)
    [ "$got" = "0 93" ] || { echo "FAIL $name: $got"; failed=1; }
}
stops() { # NAME TEXT [VAR=VALUE]...: exit 3 and the text
    name=$1 text=$2
    shift 2
    got=$(env GPUKIT_NO_CACHE=1 "$@" "$gpukit" run small.cu 2>&1)
    [ $? = 3 ] || { echo "FAIL $name: exit status is not 3"; failed=1; }
    case $got in
    *"$text"*) ;;
    *) echo "FAIL $name: $got"; failed=1 ;;
    esac
}
spoil() { # COMMAND: on every file of the cache
    find "$GPUKIT_CACHE" -type f | while read -r f; do eval "$1"; done
}

runs "empty cache"
runs "filled cache"
spoil 'head -c 5000 /dev/urandom > "$f"'; runs "garbage in the cache"
spoil ': > "$f"'; runs "empty files in the cache"
spoil 'head -c 900 "$f" > part; cat part > "$f"'; runs "files cut short"
spoil 'case $f in *.so) cp /bin/true "$f" ;; esac'; runs "another program in a kernel's place"
runs "no folder for the cache" GPUKIT_CACHE=/proc/nowhere
runs "a file where the cache should be" GPUKIT_CACHE="$work/small.cu"

rm -rf "$GPUKIT_CACHE"
for i in 1 2 3 4; do
    { "$gpukit" run small.cu > "out$i" 2>&1; echo "$?" >> "out$i"; } &
done
wait
for i in 1 2 3 4; do
    [ "$(tr '\n' ' ' < "out$i")" = "0 93 0 " ] || { echo "FAIL four at once: $(cat "out$i")"; failed=1; }
done

if mkdir small && mount -t tmpfs -o size=128k none small 2>/dev/null; then
    for n in 60 120 128; do
        dd if=/dev/zero of=small/fill bs=1k count=$n 2>/dev/null
        runs "full disk, $n of 128 KiB" GPUKIT_CACHE="$work/small/cache"
    done
else
    echo "full disk: not tried, mounting needs more rights"
fi

stops "no compiler process" "/nowhere/gpukit-jit, which compiles kernels, cannot be started" GPUKIT_JIT=/nowhere/gpukit-jit
stops "a compiler process that leaves" "gpukit-jit ended" GPUKIT_JIT=/bin/true
printf '#!/bin/sh\nwhile :; do :; done\n' > spinning; chmod +x spinning
for kind in "-S -t" "-t"; do # SIGXCPU; SIGKILL, which must not be taken for a lack of memory
    (
        ulimit $kind 3
        stops "ulimit $kind" "reached the limit of processor time, 3 s" GPUKIT_JIT="$work/spinning"
        exit $failed
    ) || failed=1
done
got=$("$gpukit" run helper_killed.cu 2>&1)
[ "$got" = "no error, 131, killed 1" ] || { echo "FAIL compiler process killed between kernels: $got"; failed=1; }
exit $failed
