package schema

// isHostname accepts a host name of RFC 1123: labels of letters, digits and inner hyphens, at most 63 bytes each and
// 253 in all. It does not decode labels that begin with xn--.
func isHostname(b []byte) bool { return len(b) <= 253 && isDomain(b) }

// isUUID accepts a UUID of RFC 9562: 8-4-4-4-12 hexadecimal digits of either case, of any version. "urn:uuid:"
// in front of it and braces around it are not part of the format.
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
