//go:build unix

package journalfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestAJournalIsOurOwn: another user may have made an empty file or a link, so Create refuses them. It skips a journal
// with records, whatever the mode of its file.
func TestAJournalIsOurOwn(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string, mode os.FileMode) string {
		path := must.Write(t, text, dir, name)
		must.OK(t, os.Chmod(path, mode))
		return path
	}
	link := filepath.Join(dir, "link")
	must.OK(t, os.Symlink(filepath.Join(dir, "target"), link))
	wrong := map[string]string{put("open", "", 0o666): "mode 0666", put("readable", "", 0o644): "mode 0644",
		link: "symbolic link"}
	if os.Geteuid() == 0 {
		path := put("nobody's", "", 0o600)
		must.OK(t, os.Chown(path, 65534, 65534))
		wrong[path] = "belongs to user 65534"
	} else {
		t.Log("a file of another user: not tried, because only root can make it")
	}
	for path, want := range wrong {
		if f, err := Create(path, nil); err == nil || f != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %v; want %q", path, f, err, want)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "target")); err == nil {
		t.Error("the journal was made where a link led")
	}
	f, err := Create(put("shared", "{}\n", 0o644), nil)
	must.OK(t, err)
	defer f.Close()
	if f.Name() != filepath.Join(dir, "shared.2") {
		t.Errorf("got %s", f.Name())
	}
}
