package host

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// TestNoExecutableMemory runs a guest in a process that may map no executable memory.
func TestNoExecutableMemory(t *testing.T) {
	const mark = "ELICIT_TEST_NO_EXEC"
	if os.Getenv(mark) == "" {
		self := exec.Command(os.Args[0], "-test.run=^TestNoExecutableMemory$", "-test.v")
		self.Env = append(os.Environ(), mark+"=1")
		out, err := self.CombinedOutput()
		if strings.Contains(string(out), "--- SKIP") {
			t.Skip("this kernel cannot refuse executable memory")
		}
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return
	}
	if err := unix.Prctl(unix.PR_SET_MDWE, unix.PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0); err != nil {
		t.Skip(err)
	}
	for _, o := range []Options{{Compiler: true}, {Compiler: true, Beside: true},
		{Compiler: true, CacheDir: t.TempDir()}} {
		h := New(o)
		digest := load(t, h, assemble.Saying(pass).Bytes(), false)
		h.beside.Wait()
		if h.guests[digest].now.engine != h.engines[interpreter] {
			t.Errorf("%+v: it is compiled", o)
		}
		if r := h.Evaluate(Evaluation{Digest: digest}); string(r.Output) != pass {
			t.Errorf("%+v: %s", o, same(r))
		}
		h.Close()
	}
}
