package guardian

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/meter"
)

func newGuardianInspectCommand() *cobra.Command {
	var asJSON bool
	cmd := cli.Verb("inspect", cli.Args(1, 1, "give one module"), func(cmd *cobra.Command, args []string) error {
		doc, m, err := readGuest(cmd, args[0])
		if err != nil {
			return err
		}
		if asJSON {
			fmt.Fprintf(cli.JSONTo(cmd), "%s\n", inspection(m))
			return nil
		}
		inspect(cmd.OutOrStdout(), doc.Name, m)
		return nil
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the result of the ABI's operation guest, and the imports")
	return cmd
}

// inspection returns the module's description as JSON, with its imports.
func inspection(m *guest.Module) []byte {
	dst := m.AppendJSON(nil, false)
	return append(dst[:len(dst)-1], `,"imports":`+cli.JSONStrings(importsOf(m))+"}"...)
}

func inspect(w io.Writer, name string, m *guest.Module) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "%-9s %s\n", what, cli.Cell(fmt.Sprintf(format, args...)))
	}
	line("module", "%s", name)
	line("name", "%s %s", m.Manifest.Name, m.Manifest.Version)
	if m.Manifest.Summary != "" {
		line("summary", "%s", m.Manifest.Summary)
	}
	line("phases", "%s", strings.Join(phasesOf(m.Manifest.Phases), ", "))
	for i, p := range m.Manifest.Reads {
		line([]string{"reads", ""}[min(i, 1)], "%s", p)
	}
	if len(m.Manifest.Reads) == 0 {
		line("reads", "nothing of the question")
	}
	for i, code := range m.Manifest.Codes {
		line([]string{"codes", ""}[min(i, 1)], "%s", code)
	}
	if m.Manifest.Data != "" {
		line("data", "%s", m.Manifest.Data)
	}
	settings := "not described"
	if m.Manifest.Settings != nil {
		settings = "described in the manifest (--json)"
	}
	line("settings", "%s", settings)
	for i, f := range m.Imports {
		line([]string{"imports", ""}[min(i, 1)], "%s.%s", f.Module, f.Name)
	}
	if len(m.Imports) == 0 {
		line("imports", "nothing")
	}
	if m.WASI {
		line("", "WASI: it runs only where the permit says \"wasi\": true")
	}
	s := m.Sizes
	line("sizes", "%d bytes (%d metered), %d functions, the longest %d bytes, %d bytes of data",
		s.Module, s.Metered, s.Functions, s.LongestBody, s.Data)
	line("memory", "%d to %d pages of 64 KiB", s.PagesLeast, s.PagesMost)
	line("abi", "%d.%d, fuel version %d, %d fuel an instance", m.ABI>>16, m.ABI&0xffff, meter.Version, m.Instance)
	line("digest", "%s", m.Digest)
}
