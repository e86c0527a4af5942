package sqlite

import (
	"context"
	"fmt"
)

// Limit sets how many pages the file may have.
func (s *Store) Limit(ctx context.Context, pages int) error {
	_, err := s.write.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	return err
}
