#!/usr/bin/env bash
# Installs what the real-parts tests need and is missing: node, Python and a JDK
# with Maven from the system's packages, and the pinned packages of
# package-lock.json, requirements.txt (MCP SDK 2), requirements1.txt (MCP SDK 1),
# requirements-agents.txt (agent frameworks),
# java/pom.xml, mcpgo/go.mod and rmcp/Cargo.lock beside this file, and the
# conductor of ACP. Running it again does nothing, and needs no network. Go and
# Rust must be there.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf 'realparts: %s\n' "$*"; }

# system WHY PACKAGE…: from the system's packages.
system() {
  local why=$1 as_root=
  shift
  command -v apt-get >/dev/null || { say "need $why; install it and run me again"; exit 1; }
  # build.sh asks the person, and says here what the answer was. Without a yes nothing outside this directory changes.
  if [ -z "${CI:-}" ] && [ -z "${ELICIT_YES:-}" ]; then
    say "need $why; run: apt-get install $*, or run me with CI=1"
    exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { say "need root for $why; run: apt-get install $*"; exit 1; }
    as_root=sudo
  fi
  say "installing $*"
  $as_root apt-get update -qq
  $as_root apt-get install -y -qq "$@" >/dev/null
}

# A stamp holds the digest of what its packages were installed from, so that a changed pin installs again.
digest() { cat "$@" | cksum; }
installed() { [ "$(cat "$1" 2>/dev/null || true)" = "$2" ]; }

node_is_enough() {
  command -v node >/dev/null && command -v npm >/dev/null &&
    node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)'
}

python_is_enough() {
  command -v python3 >/dev/null &&
    python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null
}

java_is_enough() {
  command -v javac >/dev/null && [ "$(javac -version 2>&1 | sed 's/[^0-9]*\([0-9]*\).*/\1/')" -ge 17 ]
}

node_packages() {
  node_is_enough || system "node 20 or newer with npm" nodejs npm
  node_is_enough || { say "the system's node is older than 20; install a newer one and run me again"; exit 1; }
  say "node $(node --version) is here"
  local stamp=node_modules/.installed-from want
  want=$(digest package-lock.json)
  if ! installed "$stamp" "$want"; then
    say "installing node packages (about 160, with coding agents of 1.4 GB, 20 to 240 seconds)"
    # "ci" refuses a lock file that leaves out what Qwen Code brings for other systems only.
    npm install --no-save --ignore-scripts --no-fund --no-audit --no-update-notifier --loglevel=error
    printf '%s\n' "$want" >"$stamp"
  fi
  local p
  for p in @modelcontextprotocol/{client,server,sdk,server-everything,conformance} @openai/codex \
    @anthropic-ai/claude-code @google/gemini-cli @github/copilot @qwen-code/qwen-code; do
    say "$p $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$p/package.json')).version")"
  done
}

python_packages() {
  python_is_enough || system "Python 3.10 or newer with venv" python3 python3-venv
  python_is_enough || {
    say "the system's Python is older than 3.10 or has no venv; install a newer one and run me again"
    exit 1
  }
  say "$(python3 --version) is here"
  venv_of venv requirements.txt
  venv_of venv1 requirements1.txt
  # The list is complete. Without --no-deps, pip refuses it if one package wants a newer list of certificates.
  venv_of venv-agents requirements-agents.txt --no-deps
  say "$(grep -E '^(fastmcp|mcp|pydantic)==' requirements.txt | tr '\n' ' ')"
  say "$(grep -E '^mcp==' requirements1.txt) in a venv of its own"
  local agents='^(langchain|langgraph|pydantic-ai-slim|ag-ui-protocol|openai)=='
  say "$(grep -E "$agents" requirements-agents.txt | tr '\n' ' ')"
}

# venv_of DIRECTORY REQUIREMENTS [PIP-OPTION…]: a venv with the pinned packages of one list. The first has uv, which
# takes a twentieth of pip's processor time. It reads no configuration of pip, so pip tries again where uv fails.
venv_of() {
  local stamp=$1/.installed-from want pip=("$1/bin/python" -m pip install -q --disable-pip-version-check)
  want=$(digest "$2")
  if ! installed "$stamp" "$want"; then
    say "installing Python packages ($(wc -l <"$2"), 5 to 90 seconds)"
    rm -rf "$1"
    python3 -m venv "$1"
    [ "$1" != venv ] || "${pip[@]}" "$(grep ^uv== "$2")"
    venv/bin/uv pip install -q --python "$1/bin/python" --only-binary :all: "${@:3}" -r "$2" ||
      "${pip[@]}" --only-binary :all: "${@:3}" -r "$2"
    printf '%s\n' "$want" >"$stamp"
  fi
}

java_packages() {
  java_is_enough || system "a JDK 17 or newer" default-jdk-headless
  java_is_enough || { say "the system's JDK is older than 17; install a newer one and run me again"; exit 1; }
  say "$(javac -version 2>&1) is here"
  local stamp=java/lib/.installed-from want
  want=$(digest java/pom.xml java/*.java)
  if ! installed "$stamp" "$want"; then
    command -v mvn >/dev/null || system "Maven" maven
    say "installing Java packages (24, 10 to 90 seconds)"
    rm -rf java/lib java/classes
    local out
    if ! out=$(maven --offline 2>&1) && ! out=$(maven 2>&1); then printf '%s\n' "$out"; exit 1; fi
    javac -d java/classes -cp 'java/lib/*' java/*.java
    printf '%s\n' "$want" >"$stamp"
  fi
  say "$(cd java/lib && echo mcp-[0-9]*.jar)"
}

maven() {
  mvn -q -B "$@" -f java/pom.xml -DoutputDirectory="$PWD/java/lib" \
    org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies
}

go_client() {
  command -v go >/dev/null || { say "need Go for mcpgo; install it and run me again"; exit 1; }
  local stamp=mcpgo/bin/.installed-from want
  want=$(digest mcpgo/go.mod mcpgo/go.sum mcpgo/main.go)
  if ! installed "$stamp" "$want"; then
    say "building a client and server on mcp-go (5 to 30 seconds)"
    rm -rf mcpgo/bin
    GOWORK=off go build -C mcpgo -o bin/mcpgo .
    printf '%s\n' "$want" >"$stamp"
  fi
  say "$(grep -o 'mark3labs/mcp-go v[0-9.]*' mcpgo/go.mod)"
}

rust_client() {
  command -v cargo >/dev/null || { say "need Rust for rmcp; install it and run me again"; exit 1; }
  local stamp=rmcp/target/.installed-from want
  want=$(digest rmcp/Cargo.toml rmcp/Cargo.lock rmcp/src/*.rs rmcp/src/bin/*.rs)
  if ! installed "$stamp" "$want"; then
    say "building a client and server on rmcp (30 to 120 seconds)"
    cargo build --quiet --locked --manifest-path rmcp/Cargo.toml --target-dir rmcp/target
    printf '%s\n' "$want" >"$stamp"
  fi
  say "$(sed -n 's/^rmcp = .*"=\([0-9.]*\)".*/rmcp \1/p' rmcp/Cargo.toml)"
}

conductor() {
  local version=5.0.0
  local stamp=conductor/.installed-from
  if ! installed "$stamp" "$version"; then
    say "building the conductor of ACP (1 to 3 minutes)"
    CARGO_PROFILE_DEV_DEBUG=0 cargo install --debug --quiet --locked --version "$version" \
      --root conductor --target-dir conductor/target --features unstable_protocol_v2 agent-client-protocol-conductor
    rm -rf conductor/target
    printf '%s\n' "$version" >"$stamp"
  fi
  say "agent-client-protocol-conductor $version"
}

# Without an argument everything is installed but the conductor, which takes as
# long to compile as all of the engine. Else only the parts that are named are.
[ $# -gt 0 ] || set -- node_packages python_packages java_packages go_client rust_client
for part; do "$part"; done
