package redis

import "time"

// TryAfter sets how long the connection that hears of commits may be quiet before it is tried. Call it before Watch.
func (s *Store) TryAfter(d time.Duration) { s.hints.patience = d }
