package stats

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/loopback"
)

// Serve serves the report and the profiles at a loopback address until close is called, and returns the link. Any
// program at this machine and any page in a browser can reach the port, so a path that nobody can guess comes first.
func (s *Stats) Serve(address string) (link string, closed func() error, err error) {
	listener, err := loopback.Listen(address)
	if err != nil {
		return "", nil, err
	}
	token := "/" + rand.Text()
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+token+"/{$}", s.report)
	mux.HandleFunc("GET "+token+"/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET "+token+"/debug/pprof/trace", pprof.Trace)
	mux.Handle("GET "+token+"/debug/pprof/", http.StripPrefix(token, http.HandlerFunc(pprof.Index)))
	server := loopback.Server(mux, 5*time.Second)
	go func() { _ = server.Serve(listener) }() // it ends with Close
	return "http://" + listener.Addr().String() + token + "/", server.Close, nil
}

func (s *Stats) report(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	_ = out.Encode(s.Report()) // the reader has gone
}
