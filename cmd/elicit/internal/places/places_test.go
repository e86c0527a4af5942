package places

import (
	"path/filepath"
	"testing"
)

func TestStateDirectories(t *testing.T) {
	tests := []struct {
		system string
		env    map[string]string
		want   string // "" for an error
	}{
		{"linux", map[string]string{"HOME": "/h"}, "/h/.local/state"},
		{"linux", map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s"}, "/s"},
		{"linux", map[string]string{"HOME": "/h", "XDG_STATE_HOME": "s"}, ""},
		{"linux", nil, ""},
		{"freebsd", map[string]string{"HOME": "/h"}, "/h/.local/state"},
		{"darwin", map[string]string{"HOME": "/h", "XDG_STATE_HOME": "/s"}, "/h/Library/Application Support"},
		{"darwin", nil, ""},
		{"windows", map[string]string{"LocalAppData": `C:\l`, "HOME": "/h"}, `C:\l`},
		{"windows", map[string]string{"HOME": "/h"}, ""},
	}
	for _, tt := range tests {
		got, err := stateDir(tt.system, func(name string) string { return tt.env[name] })
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s with %v: got %q, %v; want %q", tt.system, tt.env, got, err, tt.want)
		}
	}
}

func TestPlacesFollowTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "AppData", "LocalAppData"} {
		t.Setenv(name, dir)
	}
	for name, place := range map[string]func() (string, error){
		"policy.json": Policy, "grants.json": func() (string, error) { return Grants("") }, "journal": Journals,
		"installed": Installed,
	} {
		got, err := place()
		if err != nil || filepath.Base(got) != name || filepath.Base(filepath.Dir(got)) != "elicit" {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
}
