package tck

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/guests"
	"github.com/elicit-engine/elicit/plugins/tck/attack"
)

// Bundle writes everything that a host in another language needs into a directory: the cases and their list in
// index.json, questions, modules and the small hosts. In metered are the modules that an engine runs, for those that
// are not refused. Such a host needs no rewriter at first.
func Bundle(dir string) error {
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	index, err := json.Marshal(slices.Sorted(maps.Keys(Kits())))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "index.json"), index, 0o666); err != nil {
		return err
	}
	for _, made := range attack.All() {
		if err := os.WriteFile(filepath.Join(dir, Module{Name: made.File}.file()), made.Module, 0o666); err != nil {
			return err
		}
	}
	for _, name := range guests.Names() {
		if err := os.WriteFile(filepath.Join(dir, Module{Name: name}.file()), guests.Module(name), 0o666); err != nil {
			return err
		}
	}
	metered := filepath.Join(dir, "metered")
	if err := os.MkdirAll(metered, 0o777); err != nil {
		return err
	}
	for _, kit := range Kits() {
		for _, m := range kit.Modules {
			if m.Refused != "" {
				continue
			}
			read, problems := guest.Read(m.Bytes(), guest.Options{WASI: m.WASI})
			if problems != nil {
				return fmt.Errorf("%s is refused: %s", m.Name, problems[0].Code)
			}
			if err := os.WriteFile(filepath.Join(metered, m.Name+".wasm"), read.Metered, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// write puts a kit down as it stands in cases: a module or a case a line.
func (k Kit) write(file string) error {
	b := fmt.Appendf(nil, "{\"tck\": %d, \"fuel_version\": %d, \"modules\": [\n", k.TCK, k.FuelVersion)
	b, err := lines(b, k.Modules)
	if err != nil {
		return err
	}
	if b, err = lines(append(b, "], \"cases\": [\n"...), k.Cases); err != nil {
		return err
	}
	return os.WriteFile(file, append(b, "]}\n"...), 0o666)
}

func lines[T any](dst []byte, list []T) ([]byte, error) {
	for i, e := range list {
		line, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		if dst = append(dst, line...); i < len(list)-1 {
			dst = append(dst, ',')
		}
		dst = append(dst, '\n')
	}
	return dst, nil
}
