# shellcheck shell=bash
# Measures the engine beside its rivals.

bench() {
  need_go
  need_npm
  need nvim=neovim
  wasm
  wasm_browser
  component
  (cd bindings/js && js_packages && npm run build --silent) >&2
  lib
  amalgamation dist/bench-c -O2
  ./testdata/realparts/setup.sh python_packages java_packages >&2
  command_go -o dist/ ./cmd/elicit
  venv dist/benchenv bench/requirements.txt --only-binary :all: # validators that the Python package is measured beside
  [ $# != 0 ] || starts
  cd bench
  js_packages
  export GOWORK=off # the rivals' modules would change the versions that the workspace takes
  go run . -rounds "${COUNT:-3}" "$@"
}

# starts runs Elicit in C, libelicit, and the module under wasmtime, wasmi and Chicory, a process each. It prints the
# nanoseconds of processor time until it can answer, those of the first question, and the KiB of 100 connections.
starts() {
  local jars='testdata/realparts/java/lib/*' machine relay question c
  relay='{"relay":{"server":"bench","role":"client","modes":["form"],"session":{"version":"2025-11-25",'
  relay+='"declared":["form"]}}}'
  question='{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"For how long?",'
  question+='"requestedSchema":{"type":"object","properties":{"days":{"type":"integer","maximum":30}}}}}'
  cc -std=c99 -D_GNU_SOURCE -O2 -Icabi -o dist/cold bench/interface/cold.c -ldl
  cargo build --quiet --locked --release --manifest-path bench/interface/wasmi/Cargo.toml --target-dir dist/bench-rust
  javac -cp "$jars" -d dist/bench-java bench/interface/Ready.java
  c=$(dist/cold dist/bench-c/libelicit.so.1 "$relay" "$question")
  echo "in C: $c"
  echo "libelicit: $(dist/cold dist/libelicit.so.1 "$relay" "$question")"
  for machine in "testdata/realparts/venv/bin/python -B bench/interface/ready.py" dist/bench-rust/release/ready \
    "java -cp $jars:dist/bench-java Ready"; do
    # 16 is the operation "check".
    echo "$machine: $(set -f && $machine dist/elicit.wasm 16 \
      '{"schema":{"type":"object","properties":{}},"content":{}}' "$relay" "$question")"
  done
  awk '{exit $1 > 5e6 || $2 > 1e6 || $3 > 4e4}' <<<"$c" || echo "over the budget of Elicit in C: 5 ms, 1 ms, 40 MB"
}
