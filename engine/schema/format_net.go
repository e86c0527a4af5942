package schema

// isHostname accepts a host name of RFC 1123: labels of letters, digits and inner hyphens, at most 63 bytes each and
// 253 in all. It does not decode labels that begin with xn--.
func isHostname(b []byte) bool {
	if len(b) == 0 || len(b) > 253 {
		return false
	}
	start := 0
	for i := 0; i <= len(b); i++ {
		if i < len(b) && b[i] != '.' {
			if c := b[i] | 0x20; (c < 'a' || c > 'z') && (b[i] < '0' || b[i] > '9') && b[i] != '-' {
				return false
			}
			continue
		}
		if n := i - start; n == 0 || n > 63 || b[start] == '-' || b[i-1] == '-' {
			return false
		}
		start = i + 1
	}
	return true
}

// isUUID accepts a UUID of RFC 9562: 8-4-4-4-12 hexadecimal digits of either case, of any version.
func isUUID(b []byte) bool {
	if len(b) != 36 {
		return false
	}
	for i, c := range b {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if classOf[c]&hexa == 0 {
			return false
		}
	}
	return true
}
