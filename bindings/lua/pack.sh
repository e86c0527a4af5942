#!/usr/bin/env bash
# Makes DIR what a plugin manager clones: pack.sh DIR [MACHINE=LIBRARY]... [c=FOLDER]. MACHINE is a word of uname -m,
# LIBRARY the library for it on Linux, and FOLDER has the engine in C for every other system.
set -euo pipefail
to=$(realpath -m "$1")
shift
mkdir -p "$to"
for one; do
  case $one in
    c=*) mkdir -p "$to/c" && cp "${one#c=}"/*.[ch] "$to/c/" ;;
    *) mkdir -p "$to/lib/linux-${one%%=*}" && cp "${one#*=}" "$to/lib/linux-${one%%=*}/libelicit.so.1" ;;
  esac
done
(cd "$to" && { find lib c -type f 2>/dev/null || true; } | LC_ALL=C sort | xargs -r sha256sum >SHA256SUMS)
cd "$(dirname "$0")"
cp -r lua plugin doc build.lua ../../LICENSE ../../NOTICE "$to/"
# The links of the page lead into the repository, which a package does not have.
main=https://github.com/elicit-engine/elicit
sed -E "s#(!\[[^]]*\]\()\.\./\.\./#\1$main/raw/main/#; s#\]\(\.\./\.\./#]($main/blob/main/#g" README.md >"$to/README.md"
