#!/bin/sh
# Builds guardian.wasm. Needs Zig: ZIG="python3 -m ziglang" for the one of pip.
set -eu
cd "$(dirname "$0")"
# The exported constant elicit_guardian_abi, as in ../template/build.sh.
printf '\000asm\001\000\000\000\006\010\001\177\000A\200\200\004\013\000$\007linking\002\010\031\001\002\240\001\000\023elicit_guardian_abi\000\042\017target_features\001+\017mutable-globals' >abi.o
${ZIG:-zig} build-exe guardian.zig kit.c abi.o -I. -I../template -target wasm32-freestanding -mcpu=generic+bulk_memory -fno-entry \
  -O ReleaseSmall -fstrip --stack 16384 -femit-bin=guardian.wasm
rm abi.o
