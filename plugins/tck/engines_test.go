package tck

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestEngines puts every case to V8 and to wasmtime, through hosts that share no line with ours.
func TestEngines(t *testing.T) {
	t.Parallel()
	bundle := t.TempDir()
	must.OK(t, Bundle(bundle))
	cases := allCases()
	const realparts = "../../testdata/realparts"
	for _, e := range []struct {
		name, needs string
		command     []string
	}{
		{"Node", "", []string{"node", "hosts/in_node.mjs"}},
		{"Node", "", []string{"node", "--no-liftoff", "hosts/in_node.mjs"}}, // V8's other compiler
		{"wasmtime", realparts + "/venv/.installed-from",
			[]string{realparts + "/venv/bin/python", "-B", "hosts/in_wasmtime.py"}},
	} {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(e.command[0]); err != nil || !exists(e.needs) {
				t.Skip("not installed; run testdata/realparts/setup.sh")
			}
			out, err := exec.Command(e.command[0], append(e.command[1:], bundle)...).CombinedOutput()
			last := lastLine(string(out))
			if want := fmt.Sprintf("%s: %d cases, 0 failed", e.name, cases); err != nil || last != want {
				t.Fatalf("%v: %.6000s", err, out)
			}
			t.Log(last)
		})
	}
}

// TestBrowser puts every case to Chromium, with the host that Node runs.
func TestBrowser(t *testing.T) {
	t.Parallel()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium")
	}
	bundle := t.TempDir()
	must.OK(t, Bundle(bundle))
	said := make(chan string, 1)
	pages := http.NewServeMux()
	pages.Handle("GET /", http.FileServer(http.Dir(bundle)))
	pages.HandleFunc("POST /said", func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		said <- string(text)
	})
	server := httptest.NewServer(pages)
	defer server.Close()
	browser := exec.Command(chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--remote-debugging-port=0", server.URL+"/hosts/in_browser.html")
	must.OK(t, browser.Start())
	var why error
	ended := make(chan struct{})
	go func() {
		why = browser.Wait()
		close(ended)
	}()
	defer func() {
		_ = browser.Process.Kill()
		<-ended
	}()
	select {
	case text := <-said:
		if want := fmt.Sprintf("browser: %d cases, 0 failed", allCases()); text != want {
			t.Fatalf("%.6000s", text)
		}
		t.Log(text)
	case <-ended:
		t.Fatalf("the browser ended and said nothing: %v", why)
	}
}

func allCases() (count int) {
	for _, kit := range Kits() {
		count += len(kit.Cases)
	}
	return count
}

func exists(file string) bool {
	_, err := os.Stat(filepath.FromSlash(file))
	return file == "" || err == nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
