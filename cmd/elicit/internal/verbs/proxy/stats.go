package proxy

import (
	"fmt"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/stats"
)

// startStats serves the counters if --stats asks for them, until stop is called.
func (v *proxyVerb) startStats(o *proxy.Options) (stop func(), err error) {
	if v.stats == "" {
		return func() {}, nil
	}
	o.Stats = stats.New()
	link, closed, err := o.Stats.Serve(v.stats)
	if err != nil {
		return nil, fmt.Errorf("--stats: %w", err)
	}
	fmt.Fprintf(o.Notes, "elicit proxy: counters and profiles: %s\n", link)
	return func() { _ = closed() }, nil
}

// timed measures a journal if somebody looks at the counters.
func timed(journal journals.Writer, s *stats.Stats) journals.Writer {
	if s == nil {
		return journal
	}
	return timedJournal{journal, s}
}

// timedJournal measures how long each record takes to be durable.
type timedJournal struct {
	journals.Writer
	stats *stats.Stats
}

func (j timedJournal) Append(record []byte) error {
	defer j.stats.Time("record")()
	return j.Writer.Append(record)
}
