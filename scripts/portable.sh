# shellcheck shell=bash
# Builds the library for other systems than this one, with Zig's C compiler, which has each version of glibc.

# machine ARCH prints the name that C compilers and wheels give to an architecture of Go.
machine() { case $1 in amd64) echo x86_64 ;; arm64) echo aarch64 ;; *) fail "no library for $1" ;; esac; }

# zig_cc ARCH prints the C compiler for Linux of that architecture (amd64 or arm64) and glibc 2.17. It is a script,
# because Go splits no CC with a space in a path.
zig_cc() {
  local cc target
  target=$(machine "$1")-linux-gnu.2.17
  venv "$PWD/dist/zig" scripts/zig.txt
  cc=$PWD/dist/zig/cc-$1
  printf '#!/bin/sh\nexec "%s" -m ziglang cc -target %s "$@"\n' "$PWD/dist/zig/bin/python" "$target" >"$cc.$BASHPID"
  chmod +x "$cc.$BASHPID"
  mv "$cc.$BASHPID" "$cc"
  echo "$cc"
}

# lib_for ARCH DIR leaves libelicit.so.1 of that architecture there. It needs nothing newer than glibc 2.17.
lib_for() {
  local cc
  cc=$(zig_cc "$1") || return
  GOARCH=$1 CC=$cc CGO_CFLAGS="-O2 -g0" CGO_LDFLAGS="-s" lib "$2"
}
