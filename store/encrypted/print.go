package encrypted

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// A log must not get a secret because somebody prints a configuration. Format is asked for every verb, and MarshalJSON
// by loggers that write JSON.

// Format prints the id of the key only.
func (k Key) Format(s fmt.State, _ rune) { fmt.Fprint(s, "key "+strconv.Quote(k.ID)) }

// MarshalJSON writes the id of the key only.
func (k Key) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]string{"ID": k.ID}) }

// Format prints the ids of the keys only.
func (r Ring) Format(s fmt.State, _ rune) {
	fmt.Fprint(s, "ring of")
	for _, k := range r.Keys {
		fmt.Fprint(s, " "+strconv.Quote(k.ID))
	}
}

// MarshalJSON writes the ids of the keys only.
func (r Ring) MarshalJSON() ([]byte, error) { return json.Marshal(map[string][]Key{"Keys": r.Keys}) }
