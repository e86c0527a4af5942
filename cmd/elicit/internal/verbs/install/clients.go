package install

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/clientconfig"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// clientFlags choose files and servers of MCP clients, for install, uninstall, status and doctor.
type clientFlags struct{ clients, servers []string }

// clientIDs lists the words of --client: the MCP clients, and the hosts of hooks that are none of them.
func clientIDs() []string {
	ids := each.Of(clientconfig.Clients(), func(c *clientconfig.Client) string { return c.ID })
	known := func(host string) bool { return slices.Contains(ids, host) }
	return append(ids, slices.DeleteFunc(each.Of(hooks.Hosts(), each.String), known)...)
}

func (c *clientFlags) addFlags(cmd *cobra.Command) {
	ids := clientIDs()
	f := cmd.Flags()
	f.StringSliceVar(&c.clients, "client", nil, "only these `clients`: "+strings.Join(ids, ", "))
	f.StringSliceVar(&c.servers, "server", nil, "only the servers of these `names`")
	cli.CompleteFlag(cmd, "client", ids...)
}

// check refuses a client that nobody knows, so that a misspelt one is not silently left out.
func (c *clientFlags) check() error {
	ids := clientIDs()
	for _, id := range c.clients {
		if !slices.Contains(ids, id) {
			return fmt.Errorf("--client is %q%s; give one of %s", id, cli.DidYouMean(id, ids), strings.Join(ids, ", "))
		}
	}
	return nil
}

// checkServers refuses a name of --server that no file has, so that a misspelt one does not pass for one that is done.
func (c *clientFlags) checkServers(files []clientFile) error {
	var known []string
	for _, f := range files {
		if f.err == nil {
			known = append(known, each.Of(f.doc.Servers, func(s *clientconfig.Server) string { return s.Key })...)
		}
	}
	for _, name := range c.servers {
		if !slices.Contains(known, name) {
			return fmt.Errorf("no client here has a server %s%s; `elicit status` lists them", cli.Quoted(name),
				cli.DidYouMean(name, known))
		}
	}
	return nil
}

func (c *clientFlags) wants(s *clientconfig.Server) bool {
	return len(c.servers) == 0 || slices.Contains(c.servers, s.Key)
}

// clientFile is a file of a client that was read, or the reason why it was not.
type clientFile struct {
	clientconfig.File
	doc *clientconfig.Doc
	err error
}

// clientEnv is the environment of this process.
func clientEnv() (clientconfig.Env, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return clientconfig.Env{}, fmt.Errorf("there is no home directory, where MCP clients keep their files: %w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = home
	}
	return clientconfig.Env{System: runtime.GOOS, Home: home, Dir: dir, Get: os.Getenv}, nil
}

// read finds and reads the files of the chosen clients. Files that were changed before are read too, wherever they are.
func (c *clientFlags) read() ([]clientFile, clientconfig.Records, error) {
	records := clientconfig.Records{}
	if err := c.check(); err != nil {
		return nil, records, err
	}
	env, err := clientEnv()
	if err != nil {
		return nil, records, err
	}
	if records.Dir, err = places.Installed(); err != nil {
		return nil, records, err
	}
	var files []clientFile
	for _, f := range append(clientconfig.Find(env), records.Files()...) {
		known := slices.ContainsFunc(files, func(other clientFile) bool { return other.Path == f.Path })
		if known || len(c.clients) > 0 && !slices.Contains(c.clients, f.Client.ID) {
			continue
		}
		doc, err := clientconfig.Read(f)
		files = append(files, clientFile{f, doc, err})
	}
	return files, records, nil
}

// complain prints the files that could not be read, and reports whether there are any.
func complainOfFiles(w io.Writer, files []clientFile) (wrong bool) {
	for _, f := range files {
		if f.err != nil {
			wrong = true
			fmt.Fprintf(w, "%s\n", cli.OneLine(f.err.Error()))
		}
	}
	return wrong
}

// title is the client and the path of a file, with ~ for the home directory.
func (f *clientFile) title() string { return f.Client.Title + "  " + cli.Cell(cli.ShortPath(f.Path)) }
