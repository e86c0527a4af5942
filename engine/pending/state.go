package pending

// String is the state's spelling in saved sessions.
func (s State) String() string {
	switch s {
	case Queued:
		return "queued"
	case Shown:
		return "shown"
	case Awaiting:
		return "awaiting"
	case Reviewing:
		return "reviewing"
	}
	return "unknown"
}

// ParseState reads what String wrote.
func ParseState(s string) (State, bool) {
	for _, state := range []State{Queued, Shown, Awaiting, Reviewing} {
		if state.String() == s {
			return state, true
		}
	}
	return 0, false
}
