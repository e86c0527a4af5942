package schema

// isDate accepts a full-date of RFC 3339: the years 0000 to 9999, and real days only. 2024-02-29 passes, and
// 2023-02-29 does not.
func isDate(b []byte) bool { return len(b) == 10 && dateAt(b) }

// dateAt reads the first ten bytes of b. The caller makes sure that there are so many.
func dateAt(b []byte) bool {
	if b[4] != '-' || b[7] != '-' {
		return false
	}
	year, ok1 := digits(b[0:4])
	month, ok2 := digits(b[5:7])
	day, ok3 := digits(b[8:10])
	return ok1 && ok2 && ok3 && month >= 1 && month <= 12 && day >= 1 && day <= monthDays(year, month)
}

func monthDays(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// digits reads b as a number without a sign. ok is false if b is empty or has another character. The caller
// bounds the length, so n cannot overflow.
func digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, len(b) > 0
}

// isDateTime accepts a date-time of RFC 3339. An offset is required, and t and z may be lower case. A 60th second
// exists only where UTC shows 23:59.
//
//	date-time = full-date "T" full-time         (RFC 3339, section 5.6)
//	full-time = hh ":" mm ":" ss [ "." 1*DIGIT ] ( "Z" / ( "+" / "-" ) hh ":" mm )
//
// 2026-01-02T03:04:05.25+02:00 passes. Without the offset, a reader would have to guess the zone.
func isDateTime(b []byte) bool {
	return len(b) >= 20 && dateAt(b) && b[10]|0x20 == 't' && isTime(b[11:])
}

// isTime accepts a full-time of RFC 3339.
func isTime(b []byte) bool {
	if len(b) < 9 || b[2] != ':' || b[5] != ':' {
		return false
	}
	hour, ok1 := digits(b[0:2])
	minute, ok2 := digits(b[3:5])
	second, ok3 := digits(b[6:8])
	if !ok1 || !ok2 || !ok3 || hour > 23 || minute > 59 || second > 60 {
		return false
	}
	rest, ok := fraction(b[8:])
	if !ok {
		return false
	}
	offset, ok := offsetMinutes(rest)
	if !ok {
		return false
	}
	// 2016-12-31T18:59:60-05:00 was the leap second 23:59:60 UTC. The offset may take up to a day off. Two days
	// are added first, because % keeps the sign of a negative number.
	const day = 24 * 60
	return second < 60 || (hour*60+minute-offset+2*day)%day == day-1
}

// fraction skips "." and the digits after it. ok is false when the digits are missing.
func fraction(b []byte) (rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '.' {
		return b, true
	}
	i := 1
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return b[i:], i > 1
}

// offsetMinutes reads z, Z, +hh:mm or -hh:mm, which must be all of b. East is positive.
func offsetMinutes(b []byte) (minutes int, ok bool) {
	if len(b) == 1 {
		return 0, b[0]|0x20 == 'z'
	}
	if len(b) != 6 || b[3] != ':' || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	hour, ok1 := digits(b[1:3])
	minute, ok2 := digits(b[4:6])
	if !ok1 || !ok2 || hour > 23 || minute > 59 {
		return 0, false
	}
	if minutes = hour*60 + minute; b[0] == '-' {
		minutes = -minutes
	}
	return minutes, true
}
