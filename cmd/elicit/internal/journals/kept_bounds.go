package journals

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
)

// keepBounds bound the journals at the default place. Zero sets no bound.
type keepBounds struct {
	days int
	mib  int64
}

// These are the bounds without the variables. A year of daily use takes much less.
const (
	defaultKeepDays = 365
	defaultKeepMiB  = 1024
)

// ReadBounds reads ELICIT_KEEP_DAYS and ELICIT_KEEP_MIB. With a value that is no number, nothing is removed.
func ReadBounds(env func(string) string) (keepBounds, error) {
	days, err := keepNumber(env, "ELICIT_KEEP_DAYS", defaultKeepDays)
	if err != nil {
		return keepBounds{}, err
	}
	mib, err := keepNumber(env, "ELICIT_KEEP_MIB", defaultKeepMiB)
	if err != nil {
		return keepBounds{}, err
	}
	return keepBounds{int(days), mib}, nil
}

func keepNumber(env func(string) string, name string, otherwise int64) (int64, error) {
	given := env(name)
	if given == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(given, 10, 32)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s is %q; give a number, or 0 for no bound", name, given)
	}
	return n, nil
}

// String says the bounds for people.
func (k keepBounds) String() string {
	days, size := "for ever", "of any size"
	if k.days > 0 {
		days = "for " + cli.Counted(k.days, "day", "days")
	}
	if k.mib > 0 {
		size = fmt.Sprintf("up to %d MiB", k.mib)
	}
	return days + ", " + size
}

// ofProxy matches the names that CreateDefault and `elicit hook` give. Other files in the directory belong to
// somebody else.
var ofProxy = regexp.MustCompile(`^(\d{8}T\d{6}(\.\d{3})?Z-[A-Za-z0-9_-]+|session-[a-z-]+-[0-9a-f]{24})` +
	`\.jsonl(\.\d+)?$`)

// prune removes whole journals in dir until the others are within the bounds, the oldest first. The age of a journal is
// that of its last record. It never removes a journal that a run still writes.
func (k keepBounds) prune(dir string, now time.Time) (removed int, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	var all []os.FileInfo
	var size int64
	for _, entry := range entries {
		if !entry.Type().IsRegular() || !ofProxy.MatchString(entry.Name()) {
			continue
		}
		if at, err := entry.Info(); err == nil {
			all = append(all, at)
			size += at.Size()
		}
	}
	slices.SortStableFunc(all, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, at := range all {
		old := k.days > 0 && now.Sub(at.ModTime()) > time.Duration(k.days)*24*time.Hour
		if !old && (k.mib == 0 || size <= k.mib<<20) {
			continue
		}
		gone, err := journalfile.RemoveClosed(filepath.Join(dir, at.Name()))
		if err != nil {
			return removed, err
		}
		if gone {
			removed++
			size -= at.Size()
		}
	}
	return removed, nil
}

// Prune keeps the journals at the default place within their bounds, and tells what it removed.
func Prune(dir string, notes io.Writer) {
	bounds, err := ReadBounds(os.Getenv)
	removed := 0
	if err == nil {
		removed, err = bounds.prune(dir, time.Now())
	}
	if removed > 0 {
		fmt.Fprintf(notes, "elicit proxy: removed %s; journals are kept %s\n",
			cli.Counted(removed, "old journal", "old journals"), bounds)
	}
	if err != nil {
		fmt.Fprintf(notes, "elicit proxy: old journals are kept: %s\n", ui.Plain(err.Error()))
	}
}
