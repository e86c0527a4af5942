package guests_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	guestmodule "github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// longList is 4 MiB of hosts, sorted, with every second one left out.
func longList() (list []byte, in, out []string) {
	var hosts []string
	for i, size := 0, 0; ; i++ {
		h := fmt.Sprintf("h%06x.example", i*2654435761%(1<<24))
		if size += len(h) + 1; size > 2*guestmodule.MaxData {
			break
		}
		hosts = append(hosts, h)
	}
	slices.Sort(hosts)
	for i, h := range hosts {
		if i%2 == 0 && len(list)+len(h)+1 <= guestmodule.MaxData {
			list, in = append(append(list, h...), '\n'), append(in, h)
		} else {
			out = append(out, h)
		}
	}
	return list, in, out
}

// TestDenylist looks hosts of a list of 4 MiB up, and their neighbours, which are not listed.
func TestDenylist(t *testing.T) {
	t.Parallel()
	g := load(t, "denylist")
	list, in, out := longList()
	if len(list) < guestmodule.MaxData-64 || len(in) < 200_000 {
		t.Fatalf("%d bytes, %d hosts", len(list), len(in))
	}
	g.data = list
	check := func() string {
		r := g.host.CheckSettings(host.Evaluation{Digest: g.digest, Question: []byte("{}"), Data: g.data,
			Fuel: guestmodule.DataFuel})
		return string(r.Output) + string(r.Fault)
	}
	if got := check(); got != `{"v":1,"problems":[]}` {
		t.Errorf("the list: %s", got)
	}
	ask := func(host string) string {
		got, _, err := g.call(g.host.Evaluate, []byte(`{"v":1,"phase":"before_show","at":1,"request":{"url":"https://`+
			host+`/"},"settings":{},"seed":"00"}`))
		if err != nil {
			t.Fatal(host, err)
		}
		return got
	}
	for i := 0; i < len(in); i += 997 {
		if got := ask("www." + in[i]); !strings.Contains(got, `"host_listed"`) {
			t.Errorf("%s is listed: %s", in[i], got)
		}
		if got := ask(out[i]); got != `{"v":1,"decision":"pass"}` {
			t.Errorf("%s is not listed: %s", out[i], got)
		}
	}
	ask(strings.Repeat("a.", 120) + "example")
	t.Logf("at most %d fuel, with 122 names to look up", g.most)
	if g.most > fuel*9/10 {
		t.Errorf("%d fuel is too near the budget", g.most)
	}
	for name, wrong := range map[string][]byte{
		"two lines swapped at the end": append(slices.Clone(list[:len(list)-32]), "zz.example\nz.example\n"...),
		"a capital in the middle":      changed(list, 2<<20, 'A'),
		"a carriage return":            changed(list, len(list)-2, '\r'),
		"two lines made one":           []byte(strings.Repeat("a", 300)),
	} {
		if g.data = wrong; !strings.Contains(check(), " of the data document: ") {
			t.Errorf("%s: %s", name, check())
		}
	}
}

func changed(list []byte, at int, b byte) []byte {
	list = slices.Clone(list)
	for list[at] == '\n' {
		at++
	}
	list[at] = b
	return list
}

// BenchmarkDenylist asks with a document of 4 MiB, and with one of no bytes.
func BenchmarkDenylist(b *testing.B) {
	list, in, _ := longList()
	for name, data := range map[string][]byte{"4MiB": list, "empty": {}} {
		b.Run(name, func(b *testing.B) {
			g := load(b, "denylist")
			question := []byte(`{"v":1,"phase":"before_show","at":1,"request":{"url":"https://` + in[4711] +
				`/"},"settings":{},"seed":"00"}`)
			for b.Loop() {
				r := g.host.Evaluate(host.Evaluation{Digest: g.digest, Question: question, Data: data})
				if r.Fault != "" {
					b.Fatal(r.Fault)
				}
				b.ReportMetric(float64(r.Fuel), "fuel/op")
			}
		})
	}
}
