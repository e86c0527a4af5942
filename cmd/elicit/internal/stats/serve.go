package stats

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// Serve serves the report and the profiles at a loopback address until close is called, and returns the link. Any
// program at this machine and any page in a browser can reach the port, so a path that nobody can guess comes first.
func (s *Stats) Serve(address string) (link string, closed func() error, err error) {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return "", nil, fmt.Errorf("%q is not on loopback; give an address such as 127.0.0.1:0 or [::1]:8421", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return "", nil, err
	}
	token := "/" + rand.Text()
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+token+"/{$}", s.report)
	mux.HandleFunc("GET "+token+"/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET "+token+"/debug/pprof/trace", pprof.Trace)
	mux.Handle("GET "+token+"/debug/pprof/", http.StripPrefix(token, http.HandlerFunc(pprof.Index)))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 8 << 10}
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
