//go:build !wasm

package secret

// lazy is false: the tables are made when a program starts, because many goroutines may use them.
const lazy = false
