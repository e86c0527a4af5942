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

// closingQuote finds the end of the checked string whose text begins at i.
func closingQuote(raw []byte, i int) (end int, escaped bool) {
	for i < len(raw) && raw[i] != '"' {
		if raw[i] == '\\' {
			escaped = true
			i++
		}
		i++
	}
	return min(i, len(raw)), escaped
}
