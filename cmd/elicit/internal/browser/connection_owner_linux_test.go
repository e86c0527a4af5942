package browser

import (
	"bufio"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestOwnerOfAnEnd reads lists in the format of the kernel, in the byte order of a little-endian machine.
func TestOwnerOfAnEnd(t *testing.T) {
	if kernelAddress(netip.MustParseAddrPort("127.0.0.1:80")) != "0100007F:0050" {
		t.Skip("the samples come from a little-endian machine")
	}
	const four = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:20E4 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 61 1 0 100 0 0 10 0
   1: 0100007F:20E4 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 62 1 0 20 4 30 10 -1
   2: 0100007F:D431 0100007F:20E4 01 00000000:00000000 00:00000000 00000000  1001        0 63 1 0 20 4 30 10 -1
`
	const six = `   0: 00000000000000000000000001000000:D431 00000000000000000000000001000000:20E4 01 00000000:00000000 ` +
		`00:00000000 00000000  1002 0 63
`
	tests := []struct{ list, local, remote, want string }{
		{four, "127.0.0.1:54321", "127.0.0.1:8420", "1001"},
		{four, "127.0.0.1:8420", "127.0.0.1:54321", "1000"},
		{four, "127.0.0.1:54322", "127.0.0.1:8420", ""},
		{four, "[::1]:54321", "[::1]:8420", ""},
		{six, "[::1]:54321", "[::1]:8420", "1002"},
		{"garbage\n\n 1: 2\n", "127.0.0.1:54321", "127.0.0.1:8420", ""},
	}
	for _, tt := range tests {
		got, found := ownerOf(strings.NewReader(tt.list), netip.MustParseAddrPort(tt.local),
			netip.MustParseAddrPort(tt.remote))
		if got != tt.want || found != (tt.want != "") {
			t.Errorf("%s to %s: got %q, %v, want %q", tt.local, tt.remote, got, found, tt.want)
		}
	}
}

// TestAnotherUserIsRefused connects as the user "nobody", with a link that this user may have read in a log. The link
// still works for the person afterwards.
func TestAnotherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can connect as another user")
	}
	d := newRig(t, "{}")
	token := d.page.server.access.invite()
	c, err := dialAs(65534, d.page.server.host)
	must.OK(t, err)
	defer c.Close()
	r := d.request(http.MethodPost, "enter", `{"token":"`+token+`"}`, nil)
	must.OK(t, r.Write(c))
	answer, err := http.ReadResponse(bufio.NewReader(c), r)
	must.OK(t, err)
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("got %s", answer.Status)
	}
	contains(t, "notes", d.notes.String(), "refused user 65534 of this machine, who tried to open the page")
	d.enterWith(token, "", http.StatusNoContent)
}

// dialAs connects from a thread whose sockets belong to another user.
func dialAs(user int, address string) (net.Conn, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(user); err != nil {
		return nil, err
	}
	defer func() { _ = syscall.Setfsuid(os.Geteuid()) }()
	return net.Dial("tcp", address)
}
