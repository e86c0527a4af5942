package stats

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestReport: what several goroutines count and measure arrives in the report, and a nil Stats takes everything.
func TestReport(t *testing.T) {
	s := New()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				s.Count("messages", 2)
				s.took("step", 3*time.Microsecond)
			}
		})
	}
	all.Wait()
	for range 10 {
		s.took("step", 50*time.Millisecond)
	}
	s.took("late", 30*24*time.Hour)
	s.took("late", -time.Second)
	r := s.Report()
	if r.Counters["messages"] != 1600 {
		t.Error(r.Counters)
	}
	if l := r.Latencies["step"]; l != (Latency{810, 502400, 4, 50000, 50000}) {
		t.Error(l)
	}
	if l := r.Latencies["late"]; l.Count != 2 || l.P50 != 1 || l.P99 != 1<<39 {
		t.Error(l)
	}
	var nobody *Stats
	nobody.Count("messages", 1)
	nobody.Time("step")()
}

// TestServe: the link has the report and the profiles, and every other path has nothing.
func TestServe(t *testing.T) {
	s := New()
	s.Time("step")()
	link, closed, err := s.Serve("127.0.0.1:0")
	must.OK(t, err)
	t.Cleanup(func() { _ = closed() })
	root := link[:strings.Index(link[len("http://"):], "/")+len("http://")]
	var r Report
	if code, body := get(t, link); code != http.StatusOK || json.Unmarshal([]byte(body), &r) != nil ||
		r.Latencies["step"].Count != 1 {
		t.Error(code, body)
	}
	for path, want := range map[string]int{
		link + "debug/pprof/heap": http.StatusOK, link + "debug/pprof/": http.StatusOK,
		link + "debug/pprof/cmdline": http.StatusNotFound, link + "else": http.StatusNotFound,
		root + "/": http.StatusNotFound, root + "/debug/pprof/": http.StatusNotFound,
		link[:len(link)-2] + "/": http.StatusNotFound, link + "../": http.StatusNotFound,
	} {
		if code, body := get(t, path); code != want {
			t.Errorf("%s: %d %.80s", path, code, body)
		}
	}
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url)
	must.OK(t, err)
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(body)
}
