package wire

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// Limits bounds one message. It has a name here for callers outside the engine. A zero member means its default.
type Limits = jsontext.Limits
