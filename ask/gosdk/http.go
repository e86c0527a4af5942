package gosdk

import (
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler serves Streamable HTTP to clients of every protocol date at one address. The SDK needs two handlers for that:
// one with sessions, in which requests to clients of the earlier dates travel, and one without for clients of
// 2026-07-28. options may be nil; its member Stateless is not used.
func Handler(server func(*http.Request) *mcp.Server, options *mcp.StreamableHTTPOptions) http.Handler {
	var o mcp.StreamableHTTPOptions
	if options != nil {
		o = *options
	}
	o.Stateless = false
	sessions := mcp.NewStreamableHTTPHandler(server, &o)
	alone := o
	alone.Stateless = true
	calls := mcp.NewStreamableHTTPHandler(server, &alone)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= "2026-07-28" {
			calls.ServeHTTP(w, r)
			return
		}
		sessions.ServeHTTP(w, r)
	})
}
