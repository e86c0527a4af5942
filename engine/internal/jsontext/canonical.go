package jsontext

// AppendValue appends the canonical spelling of raw: no white space, strings as AppendString writes them,
// numbers and member order unchanged. raw is the text of one value that Check or a Scanner has accepted.
// Canonical text does not change. { "a" : "\u0041", "b":[1.0, 1e2] } becomes {"a":"A","b":[1.0,1e2]}. Numbers
// keep their spelling, because a reader may see a difference between 1.0 and 1. dst must not overlap raw.
func AppendValue(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == '"':
			end, escaped := closingQuote(raw, i+1)
			dst = Text{Raw: raw[i+1 : end], Escaped: escaped}.AppendJSON(dst)
			i = end + 1
		case classes[c]&white != 0:
			i++
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}

// IsCanonical reports whether AppendValue would not change raw. raw must be accepted text, as for AppendValue.
// Callers ask this first, because a text that does not change need not be copied.
func IsCanonical(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			end, escaped := closingQuote(raw, i+1)
			if escaped && !canonicalEscapes(raw[i:end+1]) {
				return false
			}
			i = end
		case classes[c]&white != 0:
			return false
		}
	}
	return true
}

// canonicalEscapes checks one string with escapes, quotes included. Some escapes are canonical, such as \n and
// \u0001. The string is written again and compared.
func canonicalEscapes(quoted []byte) bool {
	var scratch [256]byte
	t := Text{Raw: quoted[1 : len(quoted)-1], Escaped: true}
	return string(t.AppendJSON(scratch[:0])) == string(quoted)
}

// closingQuote returns the end of the accepted string whose text begins at i. end is the closing quote, or
// len(raw) for text that was not checked. It does not look at the escapes but to step over the byte behind a
// backslash, since that byte may be a quote.
func closingQuote(raw []byte, i int) (end int, escaped bool) {
	for i = plainEnd(raw, i); i < len(raw) && raw[i] != '"'; i = plainEnd(raw, i) {
		if raw[i] == '\\' {
			escaped = true
			i++
		}
		i = min(i+1, len(raw))
	}
	return min(i, len(raw)), escaped
}
