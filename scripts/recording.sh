# shellcheck shell=bash
# Records the terminal session of the README: a real shell in tmux, a real form, and no service.

# recording draws docs/images/terminal.svg again. Each picture is taken when the screen shows what it must show.
recording() {
  need tmux=tmux python3=python3
  build
  [ -e dist/elicit-browser.wasm ] || wasm_browser
  local bin out=$PWD/docs/images/terminal.svg scenes pane shot
  scenes=$(mktemp -d)
  bin=$scenes/home/.local/bin
  mkdir -p "$bin" "$scenes/shots"
  cp dist/elicit dist/elicit-browser.wasm "$bin/"
  cat >"$scenes/home/deploy.json" <<'END'
{"type": "object", "required": ["where", "replicas"], "properties": {
  "where": {"type": "string", "title": "Environment", "enum": ["staging", "production"]},
  "replicas": {"type": "integer", "title": "Replicas", "minimum": 1, "maximum": 9}}}
END
  cat >"$scenes/home/ask.json" <<'END'
{"message": "Please sign in again", "requestedSchema": {"type": "object", "properties": {
  "password": {"type": "string"}}}}
END
  (cd "$scenes/home" && XDG_CONFIG_HOME=$scenes "$bin/elicit" policy init careful --output careful.json >/dev/null)
  pane=$scenes/tmux
  tmux -S "$pane" -f /dev/null new-session -d -x 96 -y 21 -c "$scenes/home" \
    "env -i HOME=$scenes/home PATH=$bin:/usr/bin:/bin TERM=screen-256color HISTFILE= LANG=C.UTF-8 TZ=UTC PS1='\$ ' \
      bash --norc --noprofile"
  # shellcheck disable=SC2064
  trap "tmux -S '$pane' kill-server 2>/dev/null; rm -rf '$scenes'" EXIT
  tmux -S "$pane" set -g status off
  shot=10
  sees '$'
  types "elicit ask --schema deploy.json --message 'Deploy billing. Where to?' --journal today"
  takes 2000
  presses Enter
  sees 'Environment' 'Submit'
  until_gone 'keys count in a moment'
  takes 2400
  presses Down
  sees '> staging'
  takes 900
  presses Tab
  sees '* staging'
  types 12
  presses Tab
  sees '> 12' 'this must be at most 9'
  takes 2400
  presses BTab
  sees 'field 2 of 2'
  presses BSpace
  presses BSpace
  types 3
  presses Tab
  sees '> 3'
  until_gone 'at most 9'
  takes 1500
  presses Enter
  sees $'"replicas":3}\n$'
  takes 2000
  types '# A server asks for a password. What would the policy do?'
  presses Enter
  types 'elicit decide --policy careful.json --why ask.json'
  sees 'ask.json'
  takes 1800
  presses Enter
  sees 'so do not type one'
  takes 4000
  types 'clear; elicit log today'
  presses Enter
  sees $'prints them)\n$'
  takes 5000
  types 'elicit log --html log.html today'
  presses Enter
  sees 'wrote log.html' $'wasm\n$'
  takes 3500
  python3 scripts/recording.py "$scenes"/shots/* >"$out"
  say "$out: $(wc -c <"$out") bytes"
}

# takes MS keeps the screen, to be shown for so many milliseconds.
takes() {
  shot=$((shot + 1))
  tmux -S "$pane" capture-pane -e -p >"$scenes/shots/$shot-$1"
}

types() { tmux -S "$pane" send-keys -l "$1"; }

presses() { tmux -S "$pane" send-keys "$@"; }

# sees TEXT... waits until the screen shows every text.
sees() {
  local text screen tries
  for ((tries = 0; tries < 3000; tries++)); do
    screen=$(tmux -S "$pane" capture-pane -p)
    for text; do [[ $screen == *"$text"* ]] || continue 2; done
    return
  done
  fail "waited for $* on a screen that is
$screen"
}

# until_gone TEXT waits until the screen no longer shows a text.
until_gone() {
  local tries
  for ((tries = 0; tries < 3000; tries++)); do
    [[ $(tmux -S "$pane" capture-pane -p) == *"$1"* ]] || return 0
  done
  fail "$1 stays on the screen"
}
