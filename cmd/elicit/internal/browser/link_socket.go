package browser

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/trustedfile"
)

// A running Browser gives a fresh link to other programs of its user, over a socket in a directory that only this user
// can enter. `elicit page` asks there. Nothing is printed into a log, and no other user can ask.

// Page is the page of one running proxy, with a fresh link to it.
type Page struct {
	Server  string `json:"server"`
	PID     int    `json:"pid"`
	Waiting int    `json:"waiting"` // open questions, shown or not
	Open    bool   `json:"open"`    // whether a browser has the page open
	Link    string `json:"link"`    // works once
}

// Bounds for a program at the other end of the socket that does not read or write.
const (
	socketPatience = 2 * time.Second
	mostPageInfo   = 4 << 10
	askForLink     = "link\n"
	socketPrefix   = "page-"
)

// socketFolders are the directories in which a socket may be: the user's own runtime directory, and one for systems and
// sessions that have none. A proxy uses the first that it can make. A client of MCP may start the proxy without the
// variable, so a reader looks into all of them.
func socketFolders() (list []string) {
	if runtime := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(runtime) {
		list = append(list, filepath.Join(runtime, "elicit"))
	}
	return append(list, filepath.Join(os.TempDir(), fmt.Sprintf("elicit-%d", os.Geteuid())))
}

// listenForLinks opens the socket of b.
func (b *Browser) listenForLinks() error {
	var err error
	for _, folder := range socketFolders() {
		if err = trustedfile.MakePrivate(folder); err != nil {
			continue
		}
		path := filepath.Join(folder, fmt.Sprintf("%s%d-%s", socketPrefix, os.Getpid(), rand.Text()[:8]))
		if b.links, err = net.Listen("unix", path); err != nil {
			continue
		}
		if err = os.Chmod(path, 0o600); err != nil {
			b.links.Close()
			b.links = nil
			continue
		}
		go b.giveLinks(b.links)
		return nil
	}
	return err
}

// giveLinks answers one program after the other.
func (b *Browser) giveLinks(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		b.giveLink(c)
	}
}

func (b *Browser) giveLink(c net.Conn) {
	defer c.Close()
	if c.SetDeadline(time.Now().Add(socketPatience)) != nil || !ofThisUser(c) {
		return
	}
	asked := make([]byte, len(askForLink))
	if n, err := c.Read(asked); err != nil || string(asked[:n]) != askForLink {
		return
	}
	page := Page{Server: clip(b.o.Name), PID: os.Getpid(), Waiting: b.questions.countOpen(), Open: b.server.hasOpenPage(),
		Link: b.server.invitationLink(b.server.access.invite())}
	_, _ = c.Write(append(mustJSON(page), '\n'))
}

// Pages asks every running proxy of this user for its page. It removes the sockets of proxies that were killed. The
// error says that a directory of sockets belongs to somebody else.
func Pages() (list []Page, err error) {
	for _, folder := range socketFolders() {
		switch wrong := trustedfile.CheckPrivate(folder); {
		case errors.Is(wrong, fs.ErrNotExist):
			continue
		case wrong != nil:
			err = errors.Join(err, wrong)
			continue
		}
		entries, _ := os.ReadDir(folder)
		for _, entry := range entries {
			if entry.Type()&fs.ModeSocket == 0 || !strings.HasPrefix(entry.Name(), socketPrefix) {
				continue
			}
			if page, ok := askSocket(filepath.Join(folder, entry.Name())); ok {
				list = append(list, page)
			}
		}
	}
	return list, err
}

func askSocket(name string) (page Page, ok bool) {
	c, err := net.DialTimeout("unix", name, socketPatience)
	if err != nil {
		if refusedConnection(err) {
			_ = os.Remove(name)
		}
		return page, false
	}
	defer c.Close()
	if c.SetDeadline(time.Now().Add(socketPatience)) != nil {
		return page, false
	}
	if _, err := c.Write([]byte(askForLink)); err != nil {
		return page, false
	}
	line, err := bufio.NewReaderSize(c, mostPageInfo).ReadSlice('\n')
	if err != nil || json.Unmarshal(line, &page) != nil || !strings.HasPrefix(page.Link, "http://") {
		return page, false
	}
	return page, true
}
