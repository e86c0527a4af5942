#!/bin/sh
# Builds guardian.wasm. Needs Zig 0.17: ZIG="python3 -m ziglang" for the one of pip.
set -eu
cd "$(dirname "$0")"
ZIG=${ZIG:-zig}
command -v ${ZIG%% *} >/dev/null || {
  echo "${ZIG%% *} is missing. Install Zig 0.17 (ziglang.org/download, or pip install ziglang and" \
    "ZIG='python3 -m ziglang') and run me again." >&2
  exit 1
}
trap 'rm -f abi.o' EXIT
# The exported constant elicit_guardian_abi: no C compiler writes one of a given value, but the linker takes it from an
# object file.
{
  printf '\000asm\001\000\000\000\006\010\001\177\000A\200\200\004\013\000$\007linking\002\010\031\001'
  printf '\002\240\001\000\023elicit_guardian_abi\000\042\017target_features\001+\017mutable-globals'
} >abi.o
# Zig keeps what it compiled and does not see that kit.c includes the manifest, so the manifest's sum is part of the
# command.
$ZIG build-exe guardian.zig kit.c abi.o -I. -I../../c/template -DMANIFEST_SUM="$(cksum <guardian.json | tr -d ' ')" \
  -target wasm32-freestanding -mcpu=generic+bulk_memory -fno-entry -O ReleaseSmall -fstrip --stack 16384 \
  -femit-bin=guardian.wasm
