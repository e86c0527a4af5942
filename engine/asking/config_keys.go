package asking

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine"
)

// ConfigKeys lists the members of a machine's configuration, in the order of docs/reference/asking.md. A member without
// a default is unset if it is left out, except for two: "server" and "version" are required.
func ConfigKeys() []engine.ConfigKey {
	number := func(name string, value int64) engine.ConfigKey {
		return engine.ConfigKey{Name: name, Type: "integer", Default: strconv.FormatInt(value, 10)}
	}
	var orders []string
	for _, order := range Orders() {
		orders = append(orders, string(order))
	}
	return []engine.ConfigKey{
		{Name: "server", Type: "string"},
		{Name: "version", Type: "string"},
		{Name: "declared", Type: "array", Default: "[]"},
		{Name: "requests", Type: "boolean", Default: "false"},
		{Name: "principal", Type: "string"},
		{Name: "config", Type: "object", Default: serverLimits},
		{Name: "page", Type: "string"},
		{Name: "page_only", Type: "array", Default: "[]"},
		{Name: "fallback", Type: "string"},
		{Name: "prefix", Type: "string"},
		{Name: "order", Type: "string", Default: `"` + string(Queue) + `"`, Values: orders},
		number("ttl_ms", DefaultTTL),
		number("hold_ms", DefaultHold),
		number("attempts", DefaultAttempts),
		{Name: "history", Type: "boolean", Default: "false"},
	}
}
