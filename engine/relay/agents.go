//go:build !browser

package relay

// agents tells whether this build speaks with agents: over ACP, and with the Codex app-server.
const agents = true
