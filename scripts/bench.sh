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
  command_go -o dist/ ./cmd/elicit
  venv dist/benchenv bench/requirements.txt --only-binary :all: # validators that the Python package is measured beside
  cd bench
  js_packages
  export GOWORK=off # the rivals' modules would change the versions that the workspace takes
  go run . -rounds "${COUNT:-3}" "$@"
}
