package mcp

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// URLRequired is the code of the error that lists URLs to visit before a call can succeed (2025-11-25 only).
const URLRequired = -32042

// DecodeURLRequired reads such an error object. Every entry must be a URL question with a link. Otherwise the whole
// error is refused, because visiting only some URLs would end in the same error again. Entries that repeat a link and
// its URL count once. One link for two URLs is refused, because the completion of one would count for the other.
//
// The error object is {"code":-32042,"message":…,"data":{"elicitations":[{"mode":"url",…}]}} (2025-11-25
// client/elicitation, URL Elicitation Required Error). The requests are in the order of the list and alias object.
func (d Dialect) DecodeURLRequired(object []byte, declared Modes) ([]elicit.Request, []elicit.Problem) {
	r := read(object, "")
	if r.Problems != nil {
		return nil, r.Problems
	}
	if string(r.Get("code")) != strconv.Itoa(URLRequired) || !d.Link {
		r.Report("url_required_code", "code")
		return nil, r.Problems
	}
	details := r.Map("data")
	if r.Problems != nil {
		return nil, r.Problems
	}
	content := read(details, "/data")
	raw := content.Get("elicitations")
	list, count := wire.Elements(raw, maxRequired)
	switch {
	case wire.TypeOf(raw) != wire.Array:
		content.WrongType("elicitations", raw, "array")
	case count == 0:
		content.Report("empty_value", "elicitations")
	case count > maxRequired:
		content.Report("too_many_entries", "elicitations", elicit.Num("limit", maxRequired), elicit.Num("count", count))
	}
	if content.Problems != nil {
		return nil, content.Problems
	}
	return d.readRequired(list, declared)
}

func (d Dialect) readRequired(list [][]byte, declared Modes) (out []elicit.Request, problems []elicit.Problem) {
	seen := map[string]string{}
	for i, raw := range list {
		at := "/data/elicitations/" + strconv.Itoa(i)
		q, _, no := d.decodeCreate(raw, at, declared)
		switch {
		case no != nil:
			problems = append(problems, no.Problems...)
			continue
		case q.Mode != elicit.URL:
			problems = append(problems, elicit.Problem{Code: "url_required_form", Pointer: at + "/mode"})
			continue
		}
		url, again := seen[q.Link]
		switch {
		case !again:
			seen[q.Link] = q.URL
			out = append(out, q)
		case url != q.URL:
			problems = append(problems, elicit.Problem{Code: "link_conflict",
				Pointer: string(jsontext.AppendToken([]byte(at), "elicitationId")),
				Args:    []elicit.Arg{elicit.Str("link", wire.Shown(q.Link))}})
		}
	}
	if problems != nil {
		return nil, problems
	}
	return out, nil
}
