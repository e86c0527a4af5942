package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Modes says which modes a client declares. Malformed says that some part of the declaration could not be read. Such a
// part declares nothing.
//
// The zero value declares nothing. Malformed is for a report, and changes no decision.
type Modes struct {
	Form, URL bool
	Malformed bool
}

// None reports whether no mode is declared, so that elicitation is not supported at all.
func (m Modes) None() bool { return !m.Form && !m.URL }

// Plain returns the modes alone.
func (m Modes) Plain() elicit.Modes { return elicit.Modes{Form: m.Form, URL: m.URL} }

// AllModes returns every mode of the dialect.
func (d Dialect) AllModes() Modes { return Modes{Form: true, URL: d.URL} }

// ParseCapability reads the value of the elicitation capability. nil means that it was not declared. An empty object,
// or one that names neither mode, means form only (2025-11-25 client/elicitation, Capabilities), unless the
// dialect is explicit. In dates before modes had names, any object means form.
//
//	raw                      2025-06-18   2025-11-25 and later   explicit (ACP)
//	{}                       form         form                   none
//	{"url":{}}               form         url                    url
//	{"form":{},"url":{}}     form         both                   both
//	{"form":true}            form         none, malformed        none, malformed
//	true                     malformed    malformed              malformed
func (d Dialect) ParseCapability(raw []byte) Modes {
	if raw == nil {
		return Modes{}
	}
	o, ok := wire.ReadObject(raw)
	if !ok {
		return Modes{Malformed: true}
	}
	if !d.Modes {
		return Modes{Form: true}
	}
	form, url := o.Get("form"), o.Get("url")
	if form == nil && url == nil {
		return Modes{Form: !d.Explicit}
	}
	m := Modes{Form: wire.TypeOf(form) == wire.Map, URL: wire.TypeOf(url) == wire.Map}
	m.Malformed = form != nil && !m.Form || url != nil && !m.URL
	return m
}

// AppendCapability appends the declaration of m in this dialect. It returns false, with dst unchanged, if m has no
// mode: a client that declares the capability must support one.
func (d Dialect) AppendCapability(dst []byte, m Modes) ([]byte, bool) {
	m.URL = m.URL && d.URL
	switch {
	case m.Form && !d.Modes:
		return append(dst, `{}`...), true
	case m.Form && m.URL:
		return append(dst, `{"form":{},"url":{}}`...), true
	case m.Form:
		return append(dst, `{"form":{}}`...), true
	case m.URL:
		return append(dst, `{"url":{}}`...), true
	}
	return dst, false
}

// Declare appends params with the elicitation capability added. All other bytes stay. If the date declares once, params
// are those of initialize. In multi-round dialects they are those of any request, and the capability goes into its
// _meta. An existing declaration stays unless replace is true. If there is nothing to declare or no place for it,
// Declare returns false and appends params unchanged.
func (d Dialect) Declare(dst, params []byte, m Modes, replace bool) ([]byte, bool) {
	value, ok := d.AppendCapability(nil, m)
	if !ok {
		return append(dst, params...), false
	}
	if d.Carrier == wire.Rounds {
		return wire.Set(dst, params, value, replace, "_meta", metaCapabilities, "elicitation")
	}
	return wire.Set(dst, params, value, replace, "capabilities", "elicitation")
}

// Declared finds the raw elicitation capability in params, where Declare writes it. It returns nil when there is none.
func (d Dialect) Declared(params []byte) []byte {
	o, ok := wire.ReadObject(params)
	if !ok {
		return nil
	}
	capabilities, ok := o.Child("capabilities")
	if d.Carrier == wire.Rounds {
		if o, ok = o.Child("_meta"); !ok {
			return nil
		}
		capabilities, ok = o.Child(metaCapabilities)
	}
	if !ok {
		return nil
	}
	return capabilities.Get("elicitation")
}
