package jsontext

// AppendValue appends the canonical spelling of raw, the text of one value that Check or a Scanner has accepted: no white
// space, strings as AppendString writes them, numbers and member order as they are. Canonical text is a fixed point.
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

// IsCanonical reports whether raw, which must have been accepted as AppendValue asks, is spelled as AppendValue would.
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

// canonicalEscapes judges one string with escapes in it, quotes included.
func canonicalEscapes(quoted []byte) bool {
	var scratch [256]byte
	t := Text{Raw: quoted[1 : len(quoted)-1], Escaped: true}
	return string(t.AppendJSON(scratch[:0])) == string(quoted)
}

// closingQuote finds the end of the checked string whose text begins at i.
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
