#!/usr/bin/env bash
# Installs what the real-parts tests need and is missing: node, and the packages
# of package-lock.json under node_modules. Running it again does nothing.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf 'realparts: %s\n' "$*"; }

node_is_enough() {
  command -v node >/dev/null && command -v npm >/dev/null &&
    node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)'
}

if node_is_enough; then
  say "node $(node --version) is here"
else
  command -v apt-get >/dev/null || { say "need node 20 or newer with npm; install it and run me again"; exit 1; }
  as_root=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { say "need root to install node; run: apt-get install nodejs npm"; exit 1; }
    as_root=sudo
  fi
  say "installing nodejs and npm"
  $as_root apt-get update -qq
  $as_root apt-get install -y -qq nodejs npm >/dev/null
  node_is_enough || { say "the system's node is older than 20; install a newer one and run me again"; exit 1; }
fi

# The stamp holds the lock file's digest, so that a changed pin installs again.
stamp=node_modules/.installed-from
want=$(node -e 'const {createHash} = require("crypto"); console.log(createHash("sha256").update(require("fs").readFileSync("package-lock.json")).digest("hex"))')
if [ "$(cat "$stamp" 2>/dev/null || true)" = "$want" ]; then
  say "packages are here"
else
  say "installing packages (about 115, 10 to 60 seconds)"
  npm ci --ignore-scripts --no-fund --no-audit --loglevel=error
  printf '%s\n' "$want" >"$stamp"
fi
for p in client sdk server-everything; do
  say "@modelcontextprotocol/$p $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@modelcontextprotocol/$p/package.json')).version")"
done
