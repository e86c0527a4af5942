package mcp

import (
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// AppendCancelled appends the notification that withdraws the request with an id, as spelled.
func AppendCancelled(dst, id []byte, why string) []byte {
	params := jsontext.Begin(nil)
	params.Raw("requestId", id)
	params.Str("reason", why)
	return wire.AppendNotification(dst, MethodCancelled, params.End())
}
