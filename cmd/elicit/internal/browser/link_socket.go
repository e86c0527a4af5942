package browser

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ownsocket"
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

// listenForLinks opens the socket of b.
func (b *Browser) listenForLinks() error {
	l, err := ownsocket.Listen(socketPrefix)
	if err != nil {
		return err
	}
	b.links = l
	go b.giveLinks(l)
	return nil
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
	if c.SetDeadline(time.Now().Add(socketPatience)) != nil {
		return
	}
	asked := make([]byte, len(askForLink))
	if n, err := c.Read(asked); err != nil || string(asked[:n]) != askForLink {
		return
	}
	page := Page{Server: clip(b.o.Name), PID: os.Getpid(), Waiting: b.countOpen(), Open: b.server.hasOpenPage(),
		Link: b.server.invitationLink(b.server.access.invite())}
	_, _ = c.Write(append(mustJSON(page), '\n'))
}

// Pages asks every running proxy of this user for its page. It removes the sockets of proxies that were killed. The
// error says that a directory of sockets belongs to somebody else.
func Pages() (list []Page, err error) {
	names, err := ownsocket.List(socketPrefix)
	for _, name := range names {
		if page, ok := askSocket(name); ok {
			list = append(list, page)
		}
	}
	return list, err
}

func askSocket(name string) (page Page, ok bool) {
	c, err := ownsocket.Dial(name, socketPatience)
	if err != nil {
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
