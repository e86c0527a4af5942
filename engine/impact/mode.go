package impact

import "strings"

// ModeOf reads a mode of chmod, such as 4755 or u+s,o=w. setsUser reports that it lets a program run as its owner or
// its group, and allWrite that it lets everybody write. A text with holes may set the user.
func ModeOf(mode string) (setsUser, allWrite bool) {
	if mode != "" && strings.Trim(mode, "01234567") == "" {
		return len(mode) > 3 && strings.ContainsAny(mode[:len(mode)-3], "234567"),
			strings.ContainsAny(mode[len(mode)-1:], "2367")
	}
	for part := range strings.SplitSeq(mode, ",") {
		if at := strings.IndexAny(part, "+="); at >= 0 {
			setsUser = setsUser || strings.Contains(part[at:], "s")
			allWrite = allWrite || strings.ContainsAny(part[:at], "ao") && strings.Contains(part[at:], "w")
		}
	}
	return setsUser || holed(mode), allWrite
}
