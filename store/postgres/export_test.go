package postgres

import "time"

// TryAfter sets how often the handle finds out whether it hears. Call it before Watch.
func (s *Store) TryAfter(d time.Duration) { s.patience = d }
