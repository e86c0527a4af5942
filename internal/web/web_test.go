package web

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

const home = "https://example.org"

// TestRefusePost: each case differs in one thing from the request that the page's own script makes.
func TestRefusePost(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"the page's own", func(*http.Request) {}, http.StatusOK},
		{"an older browser", func(r *http.Request) { r.Header.Del("Sec-Fetch-Site") }, http.StatusOK},
		{"another site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, http.StatusForbidden},
		{"another host of the site", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") },
			http.StatusForbidden},
		{"another origin", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		{"opaque origin", func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		{"no origin", func(r *http.Request) { r.Header.Del("Origin") }, http.StatusForbidden},
		{"GET", func(r *http.Request) { r.Method = http.MethodGet }, http.StatusMethodNotAllowed},
		{"a form's body", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
			http.StatusUnsupportedMediaType},
	} {
		r := httptest.NewRequest(http.MethodPost, home+"/act", strings.NewReader(`{}`))
		r.Header.Set("Origin", home)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Content-Type", "application/json")
		c.change(r)
		w := httptest.NewRecorder()
		refused := RefusePost(w, r, home)
		if w.Code != c.want || refused != (c.want != http.StatusOK) {
			t.Errorf("%s: got %d and %v, want %d", c.name, w.Code, refused, c.want)
		}
	}
}

// TestServeFile: a document is for navigation, and what it loads is for its own origin.
func TestServeFile(t *testing.T) {
	page := File{Kind: kinds[".html"], Text: []byte("p"), Document: true}
	script := File{Kind: kinds[".js"], Text: []byte("s")}
	for _, c := range []struct {
		name  string
		f     File
		verb  string
		heads map[string]string
		want  int
	}{
		{"document", page, "GET", map[string]string{"Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate"}, 200},
		{"document from another site", page, "GET", map[string]string{"Sec-Fetch-Site": "cross-site"}, 200},
		{"document in a frame", page, "GET", map[string]string{"Sec-Fetch-Dest": "iframe"}, 403},
		{"document by script", page, "GET", map[string]string{"Sec-Fetch-Mode": "cors"}, 403},
		{"script", script, "GET", map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		{"script of another site", script, "GET", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"posted", page, "POST", nil, 405},
	} {
		r := httptest.NewRequest(c.verb, home+"/", nil)
		for name, value := range c.heads {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		c.f.Serve(w, r, home)
		if w.Code != c.want {
			t.Errorf("%s: got %d, want %d", c.name, w.Code, c.want)
		}
	}
}

// TestRead: one value, only known members, and a bounded body.
func TestRead(t *testing.T) {
	for body, want := range map[string]int{
		`{"token":"a"}`:          200,
		`{"token":"a"} `:         200,
		`{"token":"a"}{}`:        400,
		`{"token":"a","more":1}`: 400,
		`[]`:                     400,
		``:                       400,
		`{"token":"` + strings.Repeat("a", 99) + `"}`: 413,
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, home, strings.NewReader(body))
		r.Body = http.MaxBytesReader(w, r.Body, 64)
		var in struct{ Token string }
		if ok := Read(w, r, &in); w.Code != want || ok != (want == 200) {
			t.Errorf("%s: got %d and %v, want %d", body, w.Code, ok, want)
		}
	}
}

// TestPagesAreFresh compares the made files of all pages with their sources without building them: page.sum has the
// output of sha256sum for every source file. The tests of the npm package build the pages again and compare the bytes.
func TestPagesAreFresh(t *testing.T) {
	sums := must.Text(t, "page.sum")
	checked := 0
	for line := range strings.Lines(sums) {
		want, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok {
			t.Fatalf("page.sum has the line %q", line)
		}
		source, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(path)))
		if err != nil {
			t.Errorf("a page was made of a file that is gone; run ./build.sh page: %v", err)
			continue
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(source)); got != want {
			t.Errorf("%s has changed since the pages were made; run ./build.sh page", path)
		}
		checked++
	}
	if checked < 50 {
		t.Errorf("only %d sources were checked", checked)
	}
}

// TestFiles: the files that pages share are there for every page, and each has a media type.
func TestFiles(t *testing.T) {
	files := Files(shared, ".")
	for _, name := range []string{"form.js", "icon.svg"} {
		if f := files[name]; f.Kind == "" || len(f.Text) == 0 || f.Document {
			t.Errorf("%s is %q, %d bytes", name, f.Kind, len(f.Text))
		}
	}
}
