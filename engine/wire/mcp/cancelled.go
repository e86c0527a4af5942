package mcp

import (
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// AppendCancelled appends the notification that withdraws the request with an id, as spelled.
func AppendCancelled(dst, id []byte, why string) []byte {
	params := append(append([]byte(`{"requestId":`), id...), `,"reason":`...)
	return wire.AppendNotification(dst, MethodCancelled, append(jsontext.AppendString(params, why), '}'))
}
