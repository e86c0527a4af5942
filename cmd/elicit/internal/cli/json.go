package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// ReasonsOf reads reasons from JSON that the engine wrote, so that package english can put them into words.
func ReasonsOf(list gjson.Result) []elicit.Reason {
	return each.Of(list.Array(), func(r gjson.Result) elicit.Reason {
		return elicit.Reason{Code: r.Get("code").String(), Layer: r.Get("layer").String(), Rule: r.Get("rule").String(),
			Args: ui.Args(r)}
	})
}

// FindingsOf reads findings from JSON that the engine wrote.
func FindingsOf(list gjson.Result) []elicit.Finding {
	return each.Of(list.Array(), func(f gjson.Result) elicit.Finding {
		return elicit.Finding{Code: f.Get("code").String(), Severity: elicit.Severity(f.Get("severity").String()),
			Pointer: f.Get("pointer").String(), Evidence: f.Get("evidence").String(), Args: ui.Args(f)}
	})
}

// Quoted returns a text as a JSON string.
func Quoted(text string) string { return elicit.Str("", text).Raw }

// AppendObject appends a JSON object. The caller must not give two members of the same name.
func AppendObject(dst []byte, members []elicit.Arg) []byte {
	all := each.Of(members, func(m elicit.Arg) string { return Quoted(m.Name) + ":" + m.Raw })
	return append(dst, "{"+strings.Join(all, ",")+"}"...)
}

// WithoutMember returns a JSON object without the member of this name.
func WithoutMember(v gjson.Result, name string) []byte { return AppendObject(nil, MembersOf(v, name)) }

// MembersOf lists the members of an object, except the one of this name.
func MembersOf(v gjson.Result, except string) (members []elicit.Arg) {
	v.ForEach(func(k, v gjson.Result) bool {
		if k.String() != except {
			members = append(members, elicit.Raw(k.String(), v.Raw))
		}
		return true
	})
	return members
}

// JSONStrings returns a list as a JSON array of strings.
func JSONStrings[T ~string](list []T) string {
	return "[" + strings.Join(each.Of(list, func(text T) string { return Quoted(string(text)) }), ",") + "]"
}

// JSON returns a value of a type that encoding/json writes, on one line without its end.
func JSON(v any) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // cannot fail for such a type
	return strings.TrimSuffix(out.String(), "\n")
}

// PrintJSON prints a value of a type that encoding/json writes, on one line.
func PrintJSON(cmd *cobra.Command, v any) { fmt.Fprintf(JSONTo(cmd), "%s\n", JSON(v)) }

// Objects returns a JSON array with an object for each item of a list.
func Objects[T any](list []T, members func(T) []elicit.Arg) string {
	object := func(item T) string { return string(AppendObject(nil, members(item))) }
	return "[" + strings.Join(each.Of(list, object), ",") + "]"
}

// JSONOutput is standard output for JSON that people also read in a terminal. It writes every character that a
// terminal obeys, or that nobody sees, as \uXXXX. Each JSON reader gets the same value, and a peer's text cannot move
// the cursor, change the direction of a line or hide in it. Such characters occur only inside the strings of valid
// JSON, so the writer needs no parser. Each Write must get whole characters of valid JSON.
type JSONOutput struct{ To io.Writer }

// JSONTo returns the writer on which a command prints JSON.
func JSONTo(cmd *cobra.Command) io.Writer { return JSONOutput{cmd.OutOrStdout()} }

func (o JSONOutput) Write(p []byte) (int, error) {
	if _, err := o.To.Write(EscapeInvisible(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// EscapeInvisible returns valid JSON with every character escaped that is not plainly visible. It returns p itself when
// there is nothing to escape.
func EscapeInvisible(p []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(p); {
		if p[i] < 0x7f { // in valid JSON a control character below U+0020 is white space between tokens
			i++
			continue
		}
		r, size := utf8.DecodeRune(p[i:])
		if !plain.Visible(r) || r == utf8.RuneError && size == 1 {
			out = appendEscape(append(out, p[from:i]...), r)
			from = i + size
		}
		i += size
	}
	if from == 0 {
		return p
	}
	return append(out, p[from:]...)
}

func appendEscape(dst []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		dst = appendEscape(dst, 0xd800+r>>10)
		r = 0xdc00 + r&0x3ff
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
