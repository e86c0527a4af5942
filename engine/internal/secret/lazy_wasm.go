package secret

// lazy is true: a Wasm module has one thread, so tables can be made when the first text is read. A third of the time in
// which a module starts would be spent on them.
const lazy = true
