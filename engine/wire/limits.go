package wire

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Limits bounds one message, by name for callers outside the engine. A field that is zero means the default.
type Limits = jsontext.Limits
